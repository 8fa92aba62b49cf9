import { expect, test } from "vitest";
import { cutLongSpan, isGraphemeBoundary, splitSentences, trimSpan } from "../../src/ranking/sentences.ts";

const split = (text: string): string[] => splitSentences(text).map(({ start, end }) => text.slice(start, end));

test("full stops of abbreviations, initials, decimals and numbering end no sentence", () => {
  expect(split("Dr. Wu met J. K. Rowling, e.g. in May. It cost 3.5 million. See Fig. 3 for more. 1. First do it.")).toEqual([
    "Dr. Wu met J. K. Rowling, e.g. in May.",
    "It cost 3.5 million.",
    "See Fig. 3 for more.",
    "1. First do it.",
  ]);
});

test("an abbreviation ends a sentence if the next one starts like a sentence", () => {
  expect(split("He lives in the U.S. The pay is good.")).toEqual(["He lives in the U.S.", "The pay is good."]);
  expect(split("The U.S. Senate met. Acme Inc. Ltd. grew.")).toEqual(["The U.S. Senate met.", "Acme Inc. Ltd. grew."]);
});

test("Chinese marks end sentences, the semicolon too, and closing quotes stay with theirs", () => {
  expect(split("循环结束了。有三种：第一；第二！他说“好。”真的吗？值为3.5。")).toEqual([
    "循环结束了。",
    "有三种：第一；",
    "第二！",
    "他说“好。”",
    "真的吗？",
    "值为3.5。",
  ]);
});

test("Japanese and Arabic sentences are split", () => {
  expect(split("東京です。大阪です。")).toEqual(["東京です。", "大阪です。"]);
  expect(split("مرحبا بالعالم. كيف حالك؟ نعم.")).toEqual(["مرحبا بالعالم.", "كيف حالك؟", "نعم."]);
});

test("a line break continues the sentence, an empty line ends it", () => {
  expect(split("One sentence\nover two lines. Two\n\nThree")).toEqual(["One sentence\nover two lines.", "Two", "Three"]);
});

test("only the given part is split, at offsets of the whole text", () => {
  expect(splitSentences("Skip. Take this. Skip.", 6, 16)).toEqual([{ start: 6, end: 16 }]);
});

test("empty and blank texts have no sentences", () => {
  expect(splitSentences("")).toEqual([]);
  expect(splitSentences(" \n\n \t")).toEqual([]);
});

test("a space that carries a combining mark is not trimmed away from it", () => {
  expect(trimSpan("  \u0301a ", { start: 0, end: 5 })).toEqual({ start: 1, end: 4 });
});

test("a long span is cut behind clause marks, and a longer clause at a blank", () => {
  const text = "one two, three four; five six, seven";
  const cut = (maxLength: number): string[] =>
    cutLongSpan(text, { start: 0, end: text.length }, maxLength).map(({ start, end }) => text.slice(start, end));
  expect(cut(100)).toEqual([text]);
  expect(cut(21)).toEqual(["one two, three four;", "five six, seven"]);
  expect(cut(10)).toEqual(["one two,", "three", "four;", "five six,", "seven"]);
  expect(cutLongSpan("循环，结束，很好", { start: 0, end: 8 }, 4)).toEqual([
    { start: 0, end: 3 },
    { start: 3, end: 6 },
    { start: 6, end: 8 },
  ]);
});

test("offsets inside surrogate pairs, clusters and CRLF are no boundaries", () => {
  expect(isGraphemeBoundary("a😀b", 2)).toBe(false);
  expect(isGraphemeBoundary("a😀b", 3)).toBe(true);
  expect(isGraphemeBoundary("e\u0301x", 1)).toBe(false);
  expect(isGraphemeBoundary("👨‍👩‍👧", 2)).toBe(false);
  expect(isGraphemeBoundary("\r\n", 1)).toBe(false);
  expect(isGraphemeBoundary("中文", 1)).toBe(true);
});
