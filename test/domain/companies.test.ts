import { expect, test } from "vitest";
import { figuresIn, tickerOfKnown } from "../../src/domain/companies.ts";

test.each([
  [" 苹果公司 ", "AAPL"],
  ["google", "GOOGL"],
  ["Meta Platforms, Inc.", "META"],
  ["NVIDIA Corporation", "NVDA"],
  ["Coca-Cola Company", "KO"],
  ["伯克希尔·哈撒韦", "BRK-B"],
  ["JP Morgan", "JPM"],
  ["BYD", "比亚迪"],
  ["贵州茅台酒股份有限公司", "贵州茅台酒"],
  ["Apple Records", null],
  ["Apple and Google", null],
  ["Apple's", null],
  ["深度求索公司", null],
])("%j has the ticker or the Chinese name %j", (name, ticker) => {
  expect(tickerOfKnown(name)).toBe(ticker);
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
