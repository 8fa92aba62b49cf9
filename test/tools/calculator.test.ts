import { expect, it } from "vitest";
import { calculate } from "../../src/tools/calculator.ts";

it.each([
  ["0.1 + 0.2", "0.3"],
  ["(1200 - 950) / 950 * 100", "26.315789473684"],
  ["１２×３４÷２", "204"],
  ["（１＋２）×3％", "0.09"],
  ["1,234,567 + 1", "1234568"],
  ["max(100,200) + 1,000", "1200"],
  ["2 * pi", "6.2831853071796"],
  ["round(10 / 3, 2) + round(1.005, 2)", "4.34"],
  ["floor(-2.5) + ceil(0.1 * 3 * 9) + trunc(-2.7)", "-2"],
  ["5! + sqrt(16) - 2^3", "116"],
  ["-2^2 + 2^3^2", "508"],
  ["100 − 1", "99"],
  ["15% * 80", "12"],
  ["10 / 5%", "200"],
  ["10 % 3", "1"],
  ["5 > 3", "true"],
  ["3 != 3 or 2 >= 2 and not (1 > 2)", "true"],
  ["5 > 3 ? 10 : 20", "10"],
  ["log(e) + log(8, 2) + log10(1000)", "7"],
  ["mean(1, 2, 6) + sum(0.1, 0.2)", "3.3"],
  ["1e5 + .5", "100000.5"],
  ["0 * -1", "0"],
  ["123456789012345 + 1", "123456789012346"],
  ["2^53", "9.007199254741e+15"],
  ["1 / 2^40", "9.0949470177293e-13"],
])("calculates %s", (expression, value) => {
  expect(calculate(expression)).toBe(value);
});

it.each([
  "a = 3",
  "f(x) = x",
  "[1, 2, 3]",
  '"text"',
  "import({})",
  "cos",
  "1; 2",
  "x.constructor",
  "sin.constructor",
  "constructor(1)",
  "__proto__",
  "toString()",
  "random()",
  "length(123)",
  "1 in 2",
  "1 / 0",
  "sqrt(-1)",
  "sqrt(1,000)",
  "9^9^9^9",
  "1 2",
  "1.2.3",
  "max()",
  "1 +",
  "一加一",
  "(".repeat(100_000),
])("refuses %s and says why", (expression) => {
  expect(() => calculate(expression)).toThrow(
    expect.objectContaining({ code: "invalid_arguments", message: expect.stringContaining("was not calculated") }),
  );
});
