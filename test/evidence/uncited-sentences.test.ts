import { expect, it } from "vitest";
import { readCitedText } from "../../src/evidence/cited-text.ts";
import { passages } from "./evidence-of.ts";

const EVIDENCE = passages("Sales were $5 million in 2024. Profit fell.", "2024年销售额为500万元。利润下降。");
const CITED = 'Sales were $5 million in 2024. [P1: "Sales were $5 million in 2024"]';
const QUOTED = "2024年销售额为500万元。[P2：“2024年销售额为500万元”]";

/** Returns text, support and reason of the claim behind a cited one, and of the first heading. */
function readBehind(cited: string, text: string, question: string) {
  const { claims, blocks } = readCitedText(`${cited} ${text}`, EVIDENCE, { known: [question] });
  const heading = blocks.find((block) => block.kind === "heading");
  const [, second] = claims;
  return [second?.text, second?.support, second?.reason ?? null, heading?.support ?? null];
}

it.each([
  [CITED, "The year had two sides: sales and profit."],
  [CITED, "The first half was better."],
  [QUOTED, "这一年有两个方面。"],
  [QUOTED, "2024年有两个方面。"],
])("a number in words that counts nothing measured is no amount: %s %s", (cited, text) => {
  expect(readBehind(cited, text, "")).toEqual([text, "summary", null, null]);
});

it.each([
  [CITED, "Three million were lost.", "amount_not_in_sentences"],
  [CITED, "There are 2 sides.", "amount_not_in_sentences"],
  [QUOTED, "亏损三百万元。", "amount_not_in_sentences"],
])("another amount or year needs a source: %s %s", (cited, text, reason) => {
  expect(readBehind(cited, text, "What was the profit of 2023?").slice(1, 3)).toEqual(["unverified", expect.stringMatching(`^${reason}`)]);
});

it.each([
  [CITED, "The profit of 2025 is not known.", "What was the profit of 2025?"],
  [QUOTED, "2025年的利润未知。", "2025年的利润是多少？"],
])("a year of the question may be named without a source: %s %s", (cited, text, question) => {
  expect(readBehind(cited, text, question)).toEqual([text, "summary", null, null]);
});
