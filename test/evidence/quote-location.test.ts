import { expect, it } from "vitest";
import { createQuoteLocator, type Evidence } from "../../src/evidence/quote-location.ts";

const evidence = (text: string, start = 0, end = text.length): Evidence => ({
  id: "P1",
  sourceId: "S1",
  contentHash: String(text.length),
  text,
  start,
  end,
});

/** Returns the parts of the original that the quote matches, or nothing. */
const found = (quote: string, text: string): string[] =>
  createQuoteLocator()(quote, evidence(text)).map(({ start, end }) => text.slice(start, end));

it.each([
  ["The lamp was lit in 1874.", "Long ago. The lamp was lit in 1874. Then it went out.", ["The lamp was lit in 1874."]],
  ["lamp was lit", "The lamp\n   was\tlit again", ["lamp\n   was\tlit"]],
  ["example of hyphenation", "An exam-\nple of hyphen\u00adation here", ["exam-\nple of hyphen\u00adation"]],
  ["a well-known keeper", "He was a well-\nknown keeper.", ["a well-\nknown keeper"]],
  ["由当地工匠建成", "一九三一年由当地\n工匠建成。", ["由当地\n工匠建成"]],
  ["“茅台”的收入", "其中「茅台」的收入最高", ["「茅台」的收入"]],
  ["costs 1234 dollars in Tokyo", "It costs １２３４ dollars in Ｔｏｋｙｏ.", ["costs １２３４ dollars in Ｔｏｋｙｏ"]],
  ["box costs $９９", "A box costs $99 here.", ["box costs $99"]],
  ["area of 10⁴ m²", "an area of 10⁴ m² in all", ["area of 10⁴ m²"]],
  ["tom baker resigned on March 3, 2024,", "Tom Baker resigned on March 3, 2024 after talks.", ["Tom Baker resigned on March 3, 2024"]],
  ["**revenue** of _$27.2_ billion", "Its revenue of $27.2 billion", ["revenue of $27.2 billion"]],
  ["its revenue of $27.2 billion!", "Its **revenue** of *$27.2 billion*", ["Its **revenue** of *$27.2 billion"]],
  ["Die STRASSE zur muhle heisst", "Die Straße zur Mühle heißt so.", ["Die Straße zur Mühle heißt"]],
  ["המגדלור נבנה בשנת 1871", "הַמִּגְדַּלּוֹר נִבְנָה בִּשְׁנַת 1871, וְגָבְהוֹ", ["הַמִּגְדַּלּוֹר נִבְנָה בִּשְׁנַת 1871"]],
  ["$27.", "It was $27 then.", ["$27"]],
])("finds %j", (quote, text, parts) => {
  expect(found(quote, text)).toEqual(parts);
});

it.each([
  ["the product is 53", "The product is 5*3"],
  ["the name is snakecase", "The name is snake_case"],
  ["The lamp was light", "The lamp was lit in 1874."],
  ["lamp lit in 1874", "The lamp was lit in 1874."],
  ["灯塔高", "这座灯塔高九十米，很高"],
  ["box costs $99", "A box costs $9⁹ here."],
  ["每盒售价99美元", "每盒售价9⁹美元"],
  ["emits 42 tons", "It emits 4₂ tons"],
  ["........", "It went on ........ and on"],
  ["", "anything at all"],
  ["\ud83d at the end", "She smiled 😀 at the end."],
])("does not find %j", (quote, text) => {
  expect(found(quote, text)).toEqual([]);
});

it("reads an ellipsis as omitted text, in order", () => {
  const text = "The lamp was lit in 1874 by the first keeper, whose name is not known. It burned for years.";
  expect(found("The lamp was lit … whose name is not known", text)).toEqual(["The lamp was lit", "whose name is not known"]);
  expect(found("The lamp was lit [...] burned for years", text)).toEqual(["The lamp was lit", "burned for years"]);
  expect(found("burned for years ... The lamp was lit", text)).toEqual([]);
  expect(found("The lamp was lit ... and it was green", text)).toEqual([]);
  expect(found("…burned for years", text)).toEqual(["burned for years"]);
});

it("finds the whole quote if it has its own ellipsis", () => {
  expect(found("well... he said so", "And well... he said so.")).toEqual(["well... he said so"]);
});

it("prefers the words as they are quoted to the same words in another case", () => {
  expect(found("revenue rose fast.", "REVENUE ROSE FAST and the revenue rose fast")).toEqual(["revenue rose fast"]);
  expect(found("the LAMP was lit … name is not known.", "The lamp was lit. His NAME is not known")).toEqual([
    "The lamp was lit",
    "NAME is not known",
  ]);
});

it("prefers the passage that the model was shown", () => {
  const text = "Revenue grew quickly. And again: Revenue grew quickly.";
  expect(createQuoteLocator()("Revenue grew quickly", evidence(text, 30, text.length))).toEqual([{ start: 33, end: 53 }]);
  expect(createQuoteLocator()("And again", evidence(text, 30, text.length))).toEqual([{ start: 22, end: 31 }]);
});

it("accepts a short quote if the evidence is as short", () => {
  expect(found("42 %", "42 %")).toEqual(["42 %"]);
  expect(found("the", "the lamp")).toEqual([]);
});

it("accepts a short quote with a digit if it stands at one place only", () => {
  expect(found("42", "42 %")).toEqual(["42"]);
  expect(found("42", "of 42 boats, 42 sank")).toEqual([]);
});

it("prefers a place with the whole number, and otherwise finds a part of it", () => {
  expect(found("box costs $9", "A box costs $99 here.")).toEqual(["box costs $9"]);
  const text = "A box costs $99 here. A box costs $9.";
  expect(createQuoteLocator()("box costs $9", evidence(text))).toEqual([{ start: 24, end: 36 }]);
});
