import { Parser } from "expr-eval-fork";
import { z } from "zod";
import type { Tool } from "../domain/ports/tools.ts";
import { DossierError } from "../errors.ts";

/** Further digits are floating-point errors. */
const SIGNIFICANT_DIGITS = 14;
const EXPONENT_FROM = 1e15;
const TIMEOUT_MS = 1_000;
const MAX_EXPRESSION_LENGTH = 500;
const MAX_SHOWN_LENGTH = 200;

type Calculation = (...values: number[]) => unknown;

/** The value of `10%`: a tenth, except that 200 + 10% is 220, as on a pocket calculator. */
class Percentage extends Number {}

/** Makes 0.3 of 0.1 + 0.2; integers that a double holds stay as they are. @throws Error for what is no number, such as `1 < 2` in `1 < 2 < 3` */
function exact(value: unknown): number {
  if (typeof value !== "number" && !(value instanceof Percentage)) throw new Error("only numbers can be calculated with");
  return Number.isSafeInteger(value) ? Number(value) : Number(Number(value).toPrecision(SIGNIFICANT_DIGITS));
}

const added = (a: number, b: number | Percentage): number => (b instanceof Percentage ? a * Number(b) : Number(b));
const mod = (a: number, b: number): number => ((a % b) + b) % b;
const log = (value: number, base = Math.E): number => Math.log(value) / Math.log(base);
const sum = (...values: number[]): number => values.reduce((total, value) => total + Number(value), 0);
const mean = (...values: number[]): number => sum(...values) / values.length;

function median(...values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return mean(...sorted.slice(Math.floor(half), Math.ceil(half) + 1));
}

function createParser(): Parser {
  // The functions `log` and `round` take a second argument, and so are not the library's operators of these names.
  const parser = new Parser({
    allowMemberAccess: false,
    operators: { assignment: false, in: false, length: false, log: false, round: false },
  });
  const { unaryOps, binaryOps, ternaryOps, functions } = parser as unknown as Record<string, Record<string, Calculation>>;
  const { hypot, max, min, pow, atan2, roundTo } = functions as Record<string, Calculation>;
  const round = (value: number, places = 0): number => Math.sign(value) * Number(roundTo?.(Math.abs(exact(value)), places));
  const ofExact = (operators: typeof unaryOps = {}, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, (...values: number[]) => operators[name]?.(...values.map(exact))]));
  const tables = {
    unaryOps: { ...unaryOps, ...ofExact(unaryOps, ["ceil", "floor", "trunc"]) },
    binaryOps: {
      ...binaryOps,
      ...ofExact(binaryOps, ["==", "!=", "<", "<=", ">", ">="]),
      "+": (a: number, b: number) => Number(a) + added(a, b),
      "-": (a: number, b: number) => a - added(a, b),
      "%": mod,
      "^": (a: number, b: number | "%") => (b === "%" ? new Percentage(a / 100) : a ** b),
    },
    ternaryOps,
    functions: { hypot, max, min, pow, atan2, sum, mean, median, mod, log, round },
    consts: { pi: Math.PI, e: Math.E, true: true, false: false, percent: "%" },
  };
  // Without prototypes the tables do not have names such as `constructor`.
  for (const table of Object.values(tables)) Object.setPrototypeOf(table, null);
  return Object.assign(parser, tables);
}

const PARSER = createParser();

/** Accepts ×, ÷, full-width characters and `1,000`. @throws DossierError `invalid_arguments` */
export function calculate(expression: string): string {
  try {
    if (expression.length > MAX_EXPRESSION_LENGTH) throw new Error("it is too long");
    const value: unknown = PARSER.evaluate(translate(expression));
    if (typeof value === "boolean") return String(value);
    const number = exact(value);
    if (!Number.isFinite(number)) throw new Error("it has no finite value");
    return Number.isSafeInteger(number) || Math.abs(number) < EXPONENT_FROM ? String(number) : number.toExponential();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DossierError("invalid_arguments", `${expression.slice(0, MAX_SHOWN_LENGTH)} was not calculated: ${why}.`);
  }
}

/** Writes the expression in the syntax of the library. A `%` that no number follows becomes a power, which is applied before `*`. */
function translate(expression: string): string {
  const signs = expression.normalize("NFKC").replaceAll("×", "*").replaceAll("÷", "/").replaceAll(/[−–—]/g, "-");
  if (/[^\w\s.,()+\-*/^%!<>=?:]/.test(signs)) throw new Error("only numbers, operators and functions of numbers can be calculated");
  const multiplied = joinThousands(signs).replaceAll(/(?:(?<![\w.])[\d.]+|\))\s*(?=\()/g, "$&*");
  return multiplied.replaceAll(/%(?!\s*[\w.(])/g, "^percent");
}

/** The commas within calls divide arguments. */
function joinThousands(expression: string): string {
  const open: boolean[] = [];
  return expression.replaceAll(/[a-z]\w*\s*\(|[()]|(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])/gi, (part) => {
    if (part === ")") open.pop();
    else if (part.endsWith("(")) open.push(part !== "(");
    else if (!open.includes(true)) return part.replaceAll(",", "");
    return part;
  });
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
