import { expect, test } from "vitest";
import { figuresIn, knownCompaniesIn, tickerOfKnown } from "../../src/domain/companies.ts";

const named = (text: string): string[] => knownCompaniesIn(text).map(({ ticker, surface }) => `${ticker} ${surface}`);

test.each([
  ["What was Apple's net income in 2023?", ["AAPL Apple"]],
  ["苹果公司2023年的净利润是多少？", ["AAPL 苹果公司"]],
  ["比较特斯拉和比亚迪的营业收入", ["TSLA 特斯拉", "比亚迪 比亚迪"]],
  ["Meta Platforms, Inc. and NVIDIA Corporation", ["META Meta Platforms, Inc.", "NVDA NVIDIA Corporation"]],
  ["Compare McDonald's, AT&T and the Coca-Cola Company", ["MCD McDonald's", "T AT&T", "KO Coca-Cola Company"]],
  ["伯克希尔·哈撒韦的总资产", ["BRK-B 伯克希尔·哈撒韦"]],
])("%j names these companies, each once, found by their longest names", (text, expected) => {
  expect(named(text)).toEqual(expected);
});

test.each(["What is an apple?", "metadata and targets", "start ups", "深度求索公司的基本情况", "人工智能的最新研究进展"])(
  "%j names no known company",
  (text) => {
    expect(named(text)).toEqual([]);
  },
);

test("a name is read as a ticker only if it is the whole text", () => {
  expect(tickerOfKnown(" 苹果公司 ")).toBe("AAPL");
  expect(tickerOfKnown("google")).toBe("GOOGL");
  expect(tickerOfKnown("Apple Records")).toBeNull();
  expect(tickerOfKnown("Apple and Google")).toBeNull();
});

test("figures are found under their usual names, and a part of a name is not read as another figure", () => {
  expect(figuresIn("net income, operating income and cost of sales").map(({ name }) => name)).toEqual([
    "cost of revenue",
    "operating income",
    "net income",
  ]);
  expect(figuresIn("营收和净利润")).toEqual([
    { name: "net income", surface: "净利润" },
    { name: "revenue", surface: "营收" },
  ]);
  expect(figuresIn("How does the loop end?")).toEqual([]);
});
