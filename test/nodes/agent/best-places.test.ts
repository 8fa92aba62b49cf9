import { expect, it } from "vitest";
import { bestPlaces } from "../../../src/nodes/agent/best-places.ts";
import { analyzeText } from "../../../src/ranking/analyze-text.ts";
import { queryTerms } from "../../../src/ranking/query-terms.ts";
import { finish } from "../../../src/util/turns.ts";

it("the best places of a document are around the sentences with the rarest words of the question, in their order", () => {
  const sentences = Array.from({ length: 400 }, (_, at) => `Sentence ${at} is about the harbour of Aldermoor.`);
  sentences[300] = "The crane of Aldermoor lifts 40 tonnes.";
  sentences[100] = "A crane stands in Tolmere.";
  const text = sentences.join(" ");
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const places = finish(bestPlaces(text, analyzeText({ text, blocks }), queryTerms("crane tonnes Aldermoor")));
  expect(places).toMatch(/A crane stands in Tolmere\..* \[…\] .*lifts 40 tonnes\./s);
  expect(places.length).toBeLessThanOrEqual(1_600);
  expect(finish(bestPlaces(text, analyzeText({ text, blocks }), queryTerms("起重机")))).toBe(text.slice(0, 800).trim());
  const short = finish(bestPlaces(text, analyzeText({ text, blocks }), queryTerms("crane tonnes Aldermoor"), 200));
  expect(short).toMatch(/A crane stands in Tolmere\..* \[…\] .*lifts 40 tonnes\./s);
  expect(short.length).toBeLessThanOrEqual(200);
  expect(finish(bestPlaces("", analyzeText({ text: "", blocks: [] }), ["crane"]))).toBe("");
});
