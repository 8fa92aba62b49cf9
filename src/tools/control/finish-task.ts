import { z } from "zod";
import type { Tool } from "../../domain/ports/tool.ts";

const ArgumentsSchema = z.strictObject({
  answer: z.string().optional().describe("The whole answer, with its citations. Leave it out if you have just written it as text."),
  summary: z.string().optional().describe("Another name of `answer`."),
});

/** Ends the loop of an agent. */
export const finishTask: Tool<z.infer<typeof ArgumentsSchema>> = {
  name: "finish_task",
  description: "Ends the task. Call it once, alone, when the answer is complete; nothing that is called beside it is executed.",
  kind: "control",
  effect: "stop",
  schema: ArgumentsSchema,
  timeoutMs: 1_000,
  call: async ({ answer, summary = "" }) => ({ text: answer || summary, sources: [] }),
};
