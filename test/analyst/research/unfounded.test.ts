import { expect, it } from "vitest";
import { withoutUnfounded } from "../../../src/analyst/model/research/unfounded.ts";
import { executedOf, findingsOf } from "./research-views.ts";

const OPEN = [
  executedOf("How long is the Orin Bridge?", findingsOf("a:The Orin Bridge is 1,240 metres long.")),
  executedOf("Which birds nest on the Orin Bridge?", findingsOf(), { id: "T2", status: "failed" }),
  executedOf("桥上的鸟吃什么？", findingsOf(), { id: "三", status: "skipped" }),
];

const holds = (text: string, quote: string): boolean | undefined => {
  const citations = [{ id: 1, sourceId: "a", contentHash: "a", start: 0, end: quote.length, quote }];
  return withoutUnfounded({ claims: [{ text, citations: [1], supported: true, section: "" }], citations }, OPEN)[0]?.supported;
};

it.each([
  ["Sea birds nest there every spring.", "its total length is 1,240 metres"],
  ["桥上的鸟吃小鱼。", "全长一千二百四十米"],
])("a sentence on what was found to be open does not hold by a quote without a word of it: %s", (text, quote) => {
  expect(holds(text, quote)).toBe(false);
});

it.each([
  ["shares a word with its quote", "Sea birds nest there every spring.", "gulls breed there in spring"],
  ["is quoted in another language", "Sea birds nest there every spring.", "海鸥春天在桥墩上筑巢"],
  ["speaks of what was answered", "It measures more than a kilometre.", "its total length is 1,240 metres"],
  ["在中文里与引文同用一个词", "桥上的鸟吃小鱼。", "海鸥以小鱼为食"],
])("a sentence stays that %s", (_, text, quote) => {
  expect(holds(text, quote)).toBe(true);
});

it("takes nothing away where every todo was answered", () => {
  const claim = { text: "Sea birds nest there.", citations: [1], supported: true, section: "" };
  const citations = [{ id: 1, sourceId: "a", contentHash: "a", start: 0, end: 6, quote: "gulls!" }];
  expect(withoutUnfounded({ claims: [claim], citations }, OPEN.slice(0, 1))).toEqual([claim]);
});
