import { expect, test } from "vitest";
import { figuresIn } from "../../src/domain/companies.ts";

test("figures are found under their usual names, and a part of a name is not read as another figure", () => {
  expect(figuresIn("net income, operating income and cost of sales").map(({ name }) => name)).toEqual([
    "cost of revenue",
    "operating income",
    "net income",
  ]);
  expect(figuresIn("营收和净利润").map(({ name }) => name)).toEqual(["net income", "revenue"]);
  expect(figuresIn("How does the loop end?")).toEqual([]);
});
