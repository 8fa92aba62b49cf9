import { z } from "zod";
import type { Tool } from "../../domain/ports/tool.ts";
import { calculate } from "./calculate.ts";

const MAX_EXPRESSION_LENGTH = 500;

const ArgumentsSchema = z.object({
  expression: z
    .string()
    .trim()
    .min(1)
    .max(MAX_EXPRESSION_LENGTH)
    .describe("Such as (1200 - 950) / 950 * 100, 15% * 80, sqrt(2), round(10 / 3, 2), max(3, 7, 5)."),
});

/** Arithmetic with numbers, without names, assignments or anything that could run long. */
export const calculator: Tool<z.infer<typeof ArgumentsSchema>> = {
  name: "calculator",
  description: "Calculates one expression exactly: + - * / ^ % ! ( ), comparisons, and functions such as sqrt, log, round, min, max, mean.",
  kind: "query",
  answersInText: true,
  schema: ArgumentsSchema,
  timeoutMs: 1_000,
  call: async ({ expression }) => ({ text: `${expression} = ${await calculate(expression)}`, sources: [] }),
};
