import { Parser } from "expr-eval-fork";
import { z } from "zod";
import type { Tool } from "../domain/ports/tools.ts";
import { DossierError } from "../errors.ts";

/** Further digits are floating-point errors. */
const SIGNIFICANT_DIGITS = 14;
const TIMEOUT_MS = 1_000;
const MAX_EXPRESSION_LENGTH = 500;
const MAX_SHOWN_LENGTH = 200;
const MAX_TOKENS = 400;
const MAX_PLACES = 15;

type Calculation = (...args: number[]) => number;

/** The value of `10%`: a tenth, except that 200 + 10% is 220, as on a pocket calculator. */
class Percentage extends Number {}

const cut = (value: number): number => Number(Number(value).toPrecision(SIGNIFICANT_DIGITS));
const added = (a: number, b: number | Percentage): number => (b instanceof Percentage ? a * Number(b) : Number(b));
const sum: Calculation = (...values) => values.reduce((total, value) => total + Number(value), 0);
const mean: Calculation = (...values) => sum(...values) / values.length;
const mod = (a: number, b: number): number => (Number(b) === 0 ? Number(a) : a - b * Math.floor(a / b));
const square = (value: number): number => value ** 2;
const cube = (value: number): number => value ** 3;
const std: Calculation = (...values) => Math.sqrt(variance(...values));
const log: Calculation = (value = Number.NaN, base = Math.E) => Math.log(value) / Math.log(base);

function variance(...values: number[]): number {
  const center = mean(...values);
  return sum(...values.map((value) => (value - center) ** 2)) / Math.max(1, values.length - 1);
}

function median(...values: number[]): number {
  const sorted = values.map(Number).sort((a, b) => a - b);
  const last = sorted.length - 1;
  return mean(sorted[Math.floor(last / 2)] ?? Number.NaN, sorted[Math.ceil(last / 2)] ?? Number.NaN);
}

/** Moves the decimal point of the written number, because 1.005 * 100 is less than 100.5. */
function shift(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

function toPlaces(toWhole: (value: number) => number): Calculation {
  return (value = Number.NaN, places = 0) => {
    if (!Number.isInteger(Number(places)) || places < 0 || places > MAX_PLACES) throw new Error(`places are 0 to ${MAX_PLACES}`);
    return shift(toWhole(shift(cut(value), Number(places))), -places);
  };
}

/** @throws Error if a call has fewer or more arguments */
function taking(from: number, to: number, table: Readonly<Record<string, Calculation>>): Record<string, Calculation> {
  const checked =
    (name: string, call: Calculation) =>
    (...args: number[]) => {
      if (args.length < from || args.length > to) throw new Error(`${name} does not take ${args.length} arguments`);
      return call(...args);
    };
  return Object.fromEntries(Object.entries(table).map(([name, call]) => [name, checked(name, call)]));
}

/** 0.1 + 0.2 equals 0.3. @throws Error for `1 < 2 < 3` */
function comparing(compare: (a: number, b: number) => boolean): (a: unknown, b: unknown) => boolean {
  return (a, b) => {
    if (typeof a === "boolean" || typeof b === "boolean") throw new Error("only two numbers can be compared");
    return compare(cut(Number(a)), cut(Number(b)));
  };
}

const { abs, acos, asin, atan, atan2, cbrt, cos, cosh, exp, hypot, log10, log1p, log2, max, min, pow, sign, sin, sinh, sqrt, tan, tanh } =
  Math;
const round = toPlaces((value) => sign(value) * Math.round(abs(value)));
const ceil = toPlaces(Math.ceil);
const floor = toPlaces(Math.floor);
const fix = toPlaces(Math.trunc);

const functions: Readonly<Record<string, Calculation>> = {
  ...taking(1, 1, { abs, acos, asin, atan, cbrt, cos, cosh, cube, exp, log10, log1p, log2, sign, sin, sinh, sqrt, square, tan, tanh }),
  ...taking(1, 2, { ceil, fix, floor, log, round }),
  ...taking(2, 2, { atan2, mod, pow }),
  ...taking(1, Number.POSITIVE_INFINITY, { hypot, max, mean, median, min, std, sum, variance }),
};
const constants: Readonly<Record<string, number | boolean>> = {
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
  phi: 1.618033988749895,
  true: true,
  false: false,
};
const factorial: Calculation = new Parser().unaryOps["!"];
const WORDS: ReadonlySet<string> = new Set([...Object.keys(functions), ...Object.keys(constants), "and", "or", "not"]);

// The library's own functions are replaced, not extended, so that an expression reaches nothing else.
const PARSER = Object.assign(new Parser(), {
  functions,
  consts: { ...constants, percent: "%" },
  unaryOps: { "-": (a: number) => -a, "+": Number, "!": factorial, not: (a: unknown) => !a },
  binaryOps: {
    "+": (a: number, b: number) => Number(a) + added(a, b),
    "-": (a: number, b: number) => a - added(a, b),
    "*": (a: number, b: number) => a * b,
    "/": (a: number, b: number) => a / b,
    "%": mod,
    "^": (a: number, b: number | "%") => (b === "%" ? new Percentage(a / 100) : Number(a) ** Number(b)),
    and: (a: unknown, b: unknown) => a && b,
    or: (a: unknown, b: unknown) => a || b,
    "==": comparing((a, b) => a === b),
    "!=": comparing((a, b) => a !== b),
    ">": comparing((a, b) => a > b),
    "<": comparing((a, b) => a < b),
    ">=": comparing((a, b) => a >= b),
    "<=": comparing((a, b) => a <= b),
  },
});

/** Accepts ×, ÷, full-width characters and `1,000`. @throws DossierError `invalid_arguments` */
export function calculate(expression: string): string {
  try {
    if (expression.length > MAX_EXPRESSION_LENGTH) throw new Error("it is too long");
    const value: unknown = PARSER.evaluate(translate(normalizeSigns(expression)));
    if (typeof value === "boolean") return String(value);
    if (typeof value !== "number" && !(value instanceof Percentage)) throw new Error("it is not a number");
    if (!Number.isFinite(Number(value))) throw new Error("it has no finite value");
    // 0 is added because it makes 0 of -0.
    return format(cut(Number(value)) + 0);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DossierError("invalid_arguments", `${expression.slice(0, MAX_SHOWN_LENGTH)} was not calculated: ${why}.`);
  }
}

function format(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-9 || size >= 1e15)) return value.toExponential();
  return value.toLocaleString("en", { useGrouping: false, maximumSignificantDigits: SIGNIFICANT_DIGITS });
}

const TOKEN = /(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[a-z_]\w*|[<>=!]=|\S/gi;
const OPERATOR = /^(?:[-+*/^%!(),<>?:]|[<>=!]=)$/;
const NUMBER = /^\.?\d/;
const WORD = /^[a-z_]/i;

/**
 * Writes an expression in the syntax of the library: `2(3 + 4)` gets its `*`, and a `%` that no number follows becomes the power `percent`,
 * which is applied before `*` and `/`.
 */
function translate(expression: string): string {
  const tokens = expression.match(TOKEN) ?? [];
  if (tokens.length > MAX_TOKENS) throw new Error("it is too long");
  return tokens.map((token, i) => translateToken(token, tokens[i - 1] ?? "(", tokens[i + 1] ?? ")")).join(" ");
}

function translateToken(token: string, before: string, after: string): string {
  if (WORD.test(token) && !WORDS.has(token)) throw new Error(`${token} is not known`);
  if (!WORD.test(token) && !NUMBER.test(token) && !OPERATOR.test(token))
    throw new Error("only numbers, operators and functions of numbers can be calculated");
  const endsOperand = NUMBER.test(before) || before === ")" || Object.hasOwn(constants, before);
  const isPostfix = !NUMBER.test(after) && !WORD.test(after) && after !== "(";
  if (token === "%" && isPostfix) return "^ percent";
  if (token === "mod" && after !== "(") return "%";
  if (token === "!" && !endsOperand && before !== "!") throw new Error("! follows a number");
  const isFactor = token === "(" || Object.hasOwn(constants, token) || Object.hasOwn(functions, token);
  return endsOperand && isFactor ? `* ${token}` : token;
}

function normalizeSigns(expression: string): string {
  return expression
    .normalize("NFKC")
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll(/[−–—]/g, "-")
    .replaceAll(/(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])/g, (digits, at: number, text: string) =>
      endsInCall(text.slice(0, at)) ? digits : digits.replaceAll(",", ""),
    );
}

function endsInCall(text: string): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(/[a-z]\w*\s*\(|[()]/gi)) {
    if (bracket === ")") open.pop();
    else open.push(bracket);
  }
  return open.some((bracket) => bracket !== "(");
}

const CalculatorSchema = z.object({
  expression: z
    .string()
    .trim()
    .min(1)
    .max(MAX_EXPRESSION_LENGTH)
    .describe("Such as (1200 - 950) / 950 * 100, 15% * 80, sqrt(2), round(10 / 3, 2), max(3, 7, 5)."),
});

export const calculator: Tool<z.infer<typeof CalculatorSchema>> = {
  name: "calculator",
  description: "Calculates one expression exactly: + - * / ^ % ! ( ), comparisons, and functions such as sqrt, log, round, min, max, mean.",
  kind: "query",
  answersInText: true,
  schema: CalculatorSchema,
  timeoutMs: TIMEOUT_MS,
  call: async ({ expression }) => ({ text: `${expression} = ${calculate(expression)}`, sources: [] }),
};
