import { z } from "zod";
import type { Tool } from "../../domain/ports/tool.ts";

/** Other programs write numbers, and null for what they leave out. */
const text = z.union([z.string(), z.number(), z.null()]).optional();

/** Further fields do no harm beside an answer; without one they may be the answer under another name. */
const ArgumentsSchema = z
  .looseObject({
    answer: text.describe("The whole answer, with its citations. Leave it out if you have just written it as text."),
    summary: text.describe("Another name of `answer`."),
  })
  .superRefine((args, context) => {
    const others = Object.keys(args).filter((name) => name !== "answer" && name !== "summary");
    if (answerIn(args) !== "" || others.length === 0) return;
    context.addIssue({ code: "custom", path: [], message: `unknown: ${others.join(", ")}. Give the whole answer as answer` });
  });
type Arguments = z.infer<typeof ArgumentsSchema>;

function answerIn({ answer, summary }: Pick<Arguments, "answer" | "summary">): string {
  const given = [answer, summary].map((one) => String(one ?? ""));
  return given.find((one) => one.trim() !== "") ?? "";
}

/** Ends the loop of an agent. */
export const finishTask: Tool<Arguments> = {
  name: "finish_task",
  description: "Ends the task. Call it once, alone, when the answer is complete; nothing that is called beside it is executed.",
  kind: "control",
  effect: "stop",
  schema: ArgumentsSchema,
  timeoutMs: 1_000,
  call: async (args) => ({ text: answerIn(args), sources: [] }),
};
