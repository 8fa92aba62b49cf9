import { expect, it } from "vitest";
import { calculate } from "../../src/tools/control-tools.ts";

it.each([
  ["0.1 + 0.2", "0.3"],
  ["(1200 - 950) / 950 * 100", "26.315789473684"],
  ["１２×３４÷２", "204"],
  ["（１＋２）×3％", "0.09"],
  ["1,234,567 + 1", "1234568"],
  ["max(1, 20, 3)", "20"],
  ["max(100,200) + 1,000", "1200"],
  ["2(1,000 + 1)", "2002"],
  ["round(10 / 3, 2)", "3.33"],
  ["5! + sqrt(16) - 2^3", "116"],
  ["100 − 1", "99"],
  ["5 > 3", "true"],
  ["sin(pi / 2)", "1"],
])("calculates %s", async (expression, value) => {
  expect(await calculate(expression)).toBe(value);
});

it.each([
  "a = 3",
  "f(x) = x",
  "[1, 2, 3]",
  "1:1000000000",
  '"text"',
  "import({})",
  "createUnit(1)",
  "evaluate(1)",
  "parse(1)",
  "combinations(1000000000, 500000000)",
  "cos",
  "1; 2",
  "x.constructor",
  "1 / 0",
  "sqrt(1,000)",
  "200!",
  "1 +",
  "一加一",
  Array.from({ length: 220 }, () => "1").join("+"),
])("refuses %s and says why", async (expression) => {
  await expect(calculate(expression)).rejects.toMatchObject({
    code: "invalid_arguments",
    message: expect.stringContaining("was not calculated"),
  });
});
