import { expect, it } from "vitest";
import { figuresOf, statesFigure } from "../../src/evidence/stated-amounts.ts";

/** Whether a text states all figures of a sentence, of which the quote is the source. */
function states(text: string, sentence: string, quote = sentence): boolean {
  return figuresOf(sentence, [quote]).every((figure) => statesFigure(text, figure));
}

it.each([
  ["Revenue was $27.2 billion.", "Revenue came to 27,200 million dollars."],
  ["Revenue was $27.2 billion.", "营收为272亿美元。"],
  ["It grew by 4.5%.", "a growth of 4.5 percent"],
  ["It employs 4,150 people.", "Staff: 4150"],
])("%s is stated by %s", (sentence, text) => {
  expect(states(`Much else. ${text} More.`, sentence)).toBe(true);
});

it.each([
  ["Revenue was $27.2 billion.", "Revenue was $27.2 million."],
  ["Revenue was $27.2 billion.", "It has 27.2 kilometres of quays."],
  ["It employs 4,150 people.", "Staff: 4,250"],
])("%s is not stated by %s", (sentence, text) => {
  expect(states(`Much else. ${text} More.`, sentence)).toBe(false);
});

it("knows the exact figure of the quote where the sentence rounds it", () => {
  expect(states("Revenue: $29.7 million", "Revenue was about $30 million.", "Revenue was $29.7 million.")).toBe(true);
});

it("finds no figures in a sentence with only dates and years", () => {
  expect(figuresOf("In 2024, on 3 May, it opened again.", [])).toEqual([]);
});
