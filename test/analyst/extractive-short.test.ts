import { expect, test } from "vitest";
import { collectSentences } from "../../src/analyst/extractive/passages.ts";
import { isQuotable } from "../../src/analyst/extractive/quotable.ts";
import { answer, type Piece, reading } from "./readings.ts";

const page = (...pieces: readonly Piece[]) => [reading("page", "", pieces)];
const paragraphs = (...texts: readonly string[]) => page(...texts.map((text): Piece => ["paragraph", text]));

test.each([
  ["Who is the mayor?", "The town hall is large. The mayor is Bo Li. The river is wide and slow in summer.", "The mayor is Bo Li."],
  [
    "How much does the Alpha pump cost?",
    "The Alpha pump is blue and quiet. It costs 5 euros. It comes with two hoses and a filter.",
    "It costs 5 euros.",
  ],
  [
    "When did the Beta bridge open?",
    "The Beta bridge crosses the river. It opened in 1931. Trains and cars use it every day.",
    "It opened in 1931.",
  ],
  ["门票多少钱？", "门票八十元。成人和儿童都可以在入口处购买。", "门票八十元。"],
])("%s is answered by a short sentence, quoted first or after what it refers to", async (question, text, expected) => {
  const claims = await answer(question, paragraphs(text));
  expect(claims.slice(0, 2)).toContain(expected);
});

test("a short paragraph is quoted, and not its neighbours in its place", async () => {
  const claims = await answer("首都是哪里？", paragraphs("小猫喜欢吃新鲜的鱼和虾。", "首都是北京。", "富士山高3776米。"));
  expect(claims).toEqual(["首都是北京。"]);
});

test("what cannot be quoted does not make an answer of its neighbours", async () => {
  expect(
    await answer("Who is the mayor?", paragraphs("The town hall is large and old.", "The mayor", "The river is wide in summer.")),
  ).toEqual([]);
  expect(await answer("首都是哪里？", paragraphs("小猫喜欢吃新鲜的鱼和虾。", "首都", "富士山高3776米，常年积雪。"))).toEqual([]);
});

test.each([
  ["He left.", true],
  ["它已关闭。", true],
  ["票价4元。", true],
  ["“It was Bo Li.”", true],
  ["The ferry leaves the pier at noon", true],
  ["Opened: 14 October 2016 by the mayor", true],
  ["Stop.", false],
  ["42.", false],
  ["12. 5.", false],
  ["Read more", false],
  ["Learn more.", false],
  ["Page 12.", false],
  ["第 12 页。", false],
  ["了解更多。", false],
  ["Total price:", false],
  ["是的。", false],
  ["更多内容", false],
  ["And then came...", false],
  ["Is it late?", false],
  ["**Is the metro late?**", false],
  ["TNW中文站2016年10月14日07:17", false],
  ["Updated 14 October 2016 07:17", false],
])("%s can stand by itself: %s", async (text, expected) => {
  const [sentence] = await collectSentences(paragraphs(text));
  expect(sentence && isQuotable(sentence)).toBe(expected);
});

test.each([
  [
    "How much does the Alpha pump cost?",
    ["The Alpha pump is blue. It is quiet. It costs 5 euros.", "The Gamma pump is red and loud. It costs 9 euros."],
    "It costs 5 euros.",
  ],
  ["How tall is the tower?", ["The tower stands in the old town. It is 90 metres tall. Visitors climb it daily."], "It is 90 metres tall."],
  ["灯塔有多高？", ["灯塔建在老城边上。它高九十米。游客每天都可以登塔。"], "它高九十米。"],
])("%s is answered by a sentence that names its subject by a pronoun", async (question, texts, expected) => {
  const pages = texts.map((text, i) => reading(`p${i}`, `Page ${i}`, [["paragraph", text]]));
  const claims = await answer(question, pages);
  expect(claims).toContain(expected);
  expect(claims).not.toContain("It costs 9 euros.");
});

test("words that stand in every sentence lead to no other one", async () => {
  const claims = await answer("Who is the mayor?", paragraphs("The town hall is large. The mayor is Bo Li. The river is wide and slow."));
  expect(claims).toEqual(["The mayor is Bo Li."]);
});
