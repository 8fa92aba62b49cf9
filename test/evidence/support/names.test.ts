import { expect, it } from "vitest";
import { missingNames } from "../../../src/evidence/support/names.ts";

const missing = (sentence: string, text: string): string[] => missingNames(sentence, [text]).map(({ word }) => word);

it.each([
  ["The US economy grew by 3%.", "The economy of the United States grew by 3%."],
  ["The U.S. economy grew by 3%.", "Growth of the US economy was 3%."],
  ["The US economy grew by 3%.", "Growth of the U.S. economy was 3%."],
  ["The UK economy grew by 3%.", "英国经济增长3%。"],
  ["The OECD expects 3%.", "The Organisation for Economic Co-operation and Development expects 3%."],
])("finds what an abbreviation stands for: %s", (sentence, text) => {
  expect(missing(sentence, text)).toEqual([]);
});

it.each([
  ["The UK economy grew by 3%.", "The economy of the United States grew by 3%."],
  ["The UK economy grew by 3%.", "美国经济增长3%。"],
  ["The US expects 3%.", "They told us USD 3 was used so."],
  ["The US expects 3%.", "Unit sales rose by 3%. Unit Sales rose."],
  ["据US统计增长3%。", "United Steel增长3%。"],
  ["The IMF expects 3%.", "It may fall."],
])("misses an abbreviation of something else: %s", (sentence, text) => {
  expect(missing(sentence, text)).toHaveLength(1);
});

it("takes no month and no day of the week for a name", () => {
  expect(missing("It opened on a Friday in September, or in Sept. 2024, or on a Mon.", "")).toEqual([]);
});
