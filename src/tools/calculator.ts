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

const PARSER = createParser();

function createParser(): Parser {
  // The functions `log` and `round` take a second argument, and so are not the library's operators of these names.
  const parser = new Parser({
    allowMemberAccess: false,
    operators: { assignment: false, in: false, length: false, log: false, round: false },
  });
  const { hypot, max, min, pow, atan2, roundTo } = parser.functions;
  const log = (value: number, base = Math.E): number => Math.log(value) / Math.log(base);
  const sum = (...values: number[]): number => values.reduce((total, value) => total + value, 0);
  const mean = (...values: number[]): number => sum(...values) / values.length;
  parser.functions = { hypot, max, min, pow, atan2, sum, mean, log, round: (value: number, places = 0) => roundTo(value, places) };
  parser.consts = { pi: Math.PI, e: Math.E, true: true, false: false };
  const { unaryOps, binaryOps, ternaryOps } = parser as unknown as Readonly<Record<string, object>>;
  // Without prototypes the tables do not have names such as `constructor`.
  for (const table of [parser.functions, parser.consts, unaryOps, binaryOps, ternaryOps]) Object.setPrototypeOf(table, null);
  return parser;
}

/** Accepts ×, ÷, full-width characters, `1,000` and `10%`. @throws DossierError `invalid_arguments` */
export function calculate(expression: string): string {
  try {
    if (expression.length > MAX_EXPRESSION_LENGTH) throw new Error("it is too long");
    const value: unknown = PARSER.evaluate(translate(expression));
    if (typeof value === "boolean") return String(value);
    if (typeof value !== "number" || !Number.isFinite(value)) throw new Error("it has no finite value");
    const number = Number.isSafeInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS));
    return Number.isSafeInteger(number) || Math.abs(number) < EXPONENT_FROM ? String(number) : number.toExponential();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DossierError("invalid_arguments", `${expression.slice(0, MAX_SHOWN_LENGTH)} was not calculated: ${why}.`);
  }
}

/** Writes the expression in the syntax of the library. A `%` that no number follows is a hundredth; another one is the remainder. */
function translate(expression: string): string {
  const signs = expression.normalize("NFKC").replaceAll("×", "*").replaceAll("÷", "/").replaceAll(/[−–—]/g, "-");
  if (/[^\w\s.,()+\-*/^%!<>=?:]/.test(signs)) throw new Error("only numbers, operators and functions of numbers can be calculated");
  return joinThousands(signs).replaceAll(/([\d.]+)\s*%(?!\s*[\w.(])/g, "($1/100)");
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
