import { expect, it } from "vitest";
import { bestPlaces, textOfSpans } from "../../../src/nodes/agent/best-places.ts";
import { joinSpans, outside, type Span } from "../../../src/nodes/agent/told.ts";
import { analyzeText } from "../../../src/ranking/analyze-text.ts";
import { queryTerms } from "../../../src/ranking/query-terms.ts";

function placesOf(text: string, queries: readonly string[], options: { length?: number; told?: readonly Span[] } = {}) {
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const places = bestPlaces(text, analyzeText({ text, blocks }), queries.map(queryTerms), options);
  return { ...places, text: textOfSpans(text, places.spans) };
}

const sentences = Array.from({ length: 400 }, (_, at) => `Sentence ${at} is about the harbour of Aldermoor.`);
sentences[300] = "The crane of Aldermoor lifts 40 tonnes.";
sentences[100] = "A crane stands in Tolmere.";
const text = sentences.join(" ");

it("the best places of a document are around the sentences with the rarest words of the queries, in their order", () => {
  const places = placesOf(text, ["crane tonnes Aldermoor"]).text;
  expect(places).toMatch(/A crane stands in Tolmere\..* \[…\] .*lifts 40 tonnes\./s);
  expect(places.length).toBeLessThanOrEqual(1_600);
  expect(placesOf(text, ["起重机"]).text).toBe(text.slice(0, 800).trim());
  const short = placesOf(text, ["crane tonnes Aldermoor"], { length: 200 }).text;
  expect(short).toMatch(/A crane stands in Tolmere\..* \[…\] .*lifts 40 tonnes\./s);
  expect(short.length).toBeLessThanOrEqual(200);
  expect(placesOf("", ["crane"])).toEqual({ spans: [], isAbove: false, text: "" });
});

it.each([
  ["Rent is 900 euros. ", "The deposit is two rents. ", "Pets are allowed. ", "rent pets", "deposit"],
  ["租金每月九百元。", "押金是两个月的租金。", "可以养宠物。", "租金 宠物", "押金"],
])("the words of the question serve only where the queries have none in the text: %s", (rent, deposit, pets, question, query) => {
  const filler = rent.length > 10 ? "It is about nothing at all. ".repeat(60) : "这句话什么也没说。".repeat(200);
  const contract = [rent, deposit, pets].map((fact) => `${fact}${filler}`).join("");
  const shown = placesOf(contract, [query, question]).text;
  expect([rent, deposit, pets].map((fact) => shown.includes(fact.trim()))).toEqual([false, true, false]);
  const byQuestion = placesOf(contract, ["灯塔 lighthouse", question]).text;
  expect([rent, pets].map((fact) => byQuestion.includes(fact.trim()))).toEqual([true, true]);
});

it("leaves out places that were told, whole, and what of a new place was told", () => {
  const first = placesOf(text, ["lifts tonnes"]);
  const again = placesOf(text, ["lifts tonnes"], { told: first.spans });
  expect(again).toEqual({ spans: [], isAbove: true, text: "" });
  const more = placesOf(text, ["lifts tonnes", "x"], { told: [{ start: text.indexOf("The crane"), end: text.indexOf("40 tonnes") }] });
  // A sentence of which a part was told is told again.
  expect(more.text).toContain("The crane of Aldermoor lifts 40 tonnes.");
  const beside = text.indexOf("Sentence 301");
  const rest = placesOf(text, ["lifts tonnes"], { told: [{ start: beside, end: text.indexOf("Sentence 303") }] });
  expect(rest.text).toContain("lifts 40 tonnes. […] Sentence 303");
});

it("joins spans that overlap or meet, and returns what lies outside of them", () => {
  const told = joinSpans([
    { start: 5, end: 9 },
    { start: 1, end: 3 },
    { start: 3, end: 6 },
    { start: 12, end: 14 },
  ]);
  expect(told).toEqual([
    { start: 1, end: 9 },
    { start: 12, end: 14 },
  ]);
  expect(outside({ start: 0, end: 20 }, told)).toEqual([
    { start: 0, end: 1 },
    { start: 9, end: 12 },
    { start: 14, end: 20 },
  ]);
  expect(outside({ start: 2, end: 8 }, told)).toEqual([]);
});
