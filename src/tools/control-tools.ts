import { z } from "zod";
import type { Tool } from "../domain/ports/tools.ts";
import { calculator } from "./calculator.ts";

const TIMEOUT_MS = 1_000;

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
    summary: text.describe("The answer in one sentence, beside the whole answer."),
  })
  .superRefine((args, context) => {
    const others = Object.keys(args).filter((name) => name !== "answer" && name !== "summary");
    if (textOf(args.answer) !== "" || textOf(args.summary) !== "" || others.length === 0) return;
    context.addIssue({ code: "custom", path: [], message: `unknown: ${others.join(", ")}. Give the whole answer as answer` });
  });
type FinishArguments = z.infer<typeof FinishSchema>;

function textOf(given: string | number | null | undefined): string {
  return String(given ?? "").trim();
}

const finishTask: Tool<FinishArguments> = {
  name: "finish_task",
  description: "Ends the task. Call it once, alone, when the answer is complete; nothing that is called beside it is executed.",
  kind: "control",
  effect: "stop",
  schema: FinishSchema,
  timeoutMs: TIMEOUT_MS,
  call: async ({ answer, summary }) => ({ text: textOf(answer), summary: textOf(summary), sources: [] }),
};

export const AGENT_TOOLS: readonly Tool[] = [calculator, askUser, finishTask];
