import type { MathNode } from "mathjs";
import { z } from "zod";
import type { Tool } from "../domain/ports/tools.ts";
import { DossierError } from "../errors.ts";

const TIMEOUT_MS = 1_000;

/** Further digits are floating-point errors. */
const SIGNIFICANT_DIGITS = 14;
const MAX_EXPRESSION_LENGTH = 500;
const MAX_RESULT_LENGTH = 200;
const MAX_NODES = 200;

/** Only these functions may be called. None becomes slow for large numbers. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  "abs acos asin atan atan2 cbrt ceil cos cosh exp fix floor hypot log log10 log1p log2 max mean median min mod pow round sign sin sinh sqrt square cube std sum tan tanh variance".split(
    " ",
  ),
);
const CONSTANTS: ReadonlySet<string> = new Set(["pi", "e", "tau", "phi"]);
const NODE_TYPES: ReadonlySet<string> = new Set(
  "ConstantNode OperatorNode ParenthesisNode FunctionNode SymbolNode ConditionalNode RelationalNode".split(" "),
);

/** Accepts ×, ÷, full-width characters and `1,000`. @throws DossierError `invalid_arguments` */
export async function calculate(expression: string): Promise<string> {
  const { parse, format } = await import("mathjs/number");
  let value: unknown;
  try {
    const node = parse(normalizeSigns(expression));
    checkNodes(node, expression);
    value = node.compile().evaluate();
  } catch (error) {
    throw error instanceof DossierError ? error : refused(expression, error instanceof Error ? error.message : String(error));
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw refused(expression, "it has no finite value");
  if (typeof value !== "number" && typeof value !== "boolean") throw refused(expression, "it is not a number");
  return format(value, { precision: SIGNIFICANT_DIGITS, lowerExp: -9, upperExp: 15 }).slice(0, MAX_RESULT_LENGTH);
}

function checkNodes(node: MathNode, expression: string): void {
  let nodes = 0;
  node.traverse((part, path) => {
    nodes += 1;
    if (nodes > MAX_NODES) throw refused(expression, "it is too long");
    if (!NODE_TYPES.has(part.type)) throw refused(expression, "only numbers, operators and functions of numbers can be calculated");
    const { name, value } = part as { readonly name?: unknown; readonly value?: unknown };
    if (part.type === "ConstantNode" && typeof value !== "number" && typeof value !== "boolean")
      throw refused(expression, "it holds something that is not a number");
    const known = path === "fn" ? FUNCTIONS : CONSTANTS;
    if (part.type === "SymbolNode" && !known.has(String(name))) throw refused(expression, `${String(name)} is not known`);
  });
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

function refused(expression: string, why: string): DossierError {
  return new DossierError("invalid_arguments", `${expression.slice(0, MAX_RESULT_LENGTH)} was not calculated: ${why}.`);
}

const CalculatorSchema = z.object({
  expression: z
    .string()
    .trim()
    .min(1)
    .max(MAX_EXPRESSION_LENGTH)
    .describe("Such as (1200 - 950) / 950 * 100, 15% * 80, sqrt(2), round(10 / 3, 2), max(3, 7, 5)."),
});

const calculator: Tool<z.infer<typeof CalculatorSchema>> = {
  name: "calculator",
  description: "Calculates one expression exactly: + - * / ^ % ! ( ), comparisons, and functions such as sqrt, log, round, min, max, mean.",
  kind: "query",
  answersInText: true,
  schema: CalculatorSchema,
  timeoutMs: TIMEOUT_MS,
  call: async ({ expression }) => ({ text: `${expression} = ${await calculate(expression)}`, sources: [] }),
};

const QuestionSchema = z.strictObject({
  question: z.string().trim().min(1).max(2_000).describe("One question, in the language of the user."),
});

const askUser: Tool<z.infer<typeof QuestionSchema>> = {
  name: "ask_user",
  description:
    "Asks the user one question and waits for the answer. Only where the task cannot be done without it: something is missing or ambiguous that no tool can find out. Call it alone; nothing that is called beside it is executed.",
  kind: "control",
  effect: "wait",
  schema: QuestionSchema,
  timeoutMs: TIMEOUT_MS,
  call: async ({ question }) => ({ text: question, sources: [] }),
};

/** Models also send numbers, or null for a missing text. */
const text = z.union([z.string(), z.number(), z.null()]).optional();

/** Refuses a call without an answer but with unknown fields: the model may have named the answer differently. */
const FinishSchema = z
  .looseObject({
    answer: text.describe("The whole answer, with its citations. Leave it out if you have just written it as text."),
    summary: text.describe("Another name of `answer`."),
  })
  .superRefine((args, context) => {
    const others = Object.keys(args).filter((name) => name !== "answer" && name !== "summary");
    if (answerIn(args) !== "" || others.length === 0) return;
    context.addIssue({ code: "custom", path: [], message: `unknown: ${others.join(", ")}. Give the whole answer as answer` });
  });
type FinishArguments = z.infer<typeof FinishSchema>;

function answerIn({ answer, summary }: Pick<FinishArguments, "answer" | "summary">): string {
  const texts = [answer, summary].map((given) => String(given ?? ""));
  return texts.find((given) => given.trim() !== "") ?? "";
}

const finishTask: Tool<FinishArguments> = {
  name: "finish_task",
  description: "Ends the task. Call it once, alone, when the answer is complete; nothing that is called beside it is executed.",
  kind: "control",
  effect: "stop",
  schema: FinishSchema,
  timeoutMs: TIMEOUT_MS,
  call: async (args) => ({ text: answerIn(args), sources: [] }),
};

export const AGENT_TOOLS: readonly Tool[] = [calculator, askUser, finishTask];
