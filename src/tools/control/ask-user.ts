import { z } from "zod";
import type { Tool } from "../../domain/ports/tool.ts";

const MAX_QUESTION_LENGTH = 2_000;

const ArgumentsSchema = z.strictObject({
  question: z.string().trim().min(1).max(MAX_QUESTION_LENGTH).describe("One question, in the language of the user."),
});

/** Makes the run wait for its user, whose answer becomes the result of the call. */
export const askUser: Tool<z.infer<typeof ArgumentsSchema>> = {
  name: "ask_user",
  description:
    "Asks the user one question and waits for the answer. Only where the task cannot be done without it: something is missing or ambiguous that no tool can find out. Call it alone; nothing that is called beside it is executed.",
  kind: "control",
  effect: "wait",
  schema: ArgumentsSchema,
  timeoutMs: 1_000,
  call: async ({ question }) => ({ text: question, sources: [] }),
};
