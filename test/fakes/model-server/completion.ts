import type { Told } from "./behavior.ts";
import { wholeCalls } from "./call-deltas.ts";
import { type Asked, contentOf, finishOf, reasoningFields, usageOf, withIds } from "./frames.ts";

/** Returns the whole answer as one `chat.completion`. */
export function completionOf(told: Told, asked: Asked): Record<string, unknown> {
  const content = contentOf(told);
  const message = {
    role: "assistant",
    content: content === "" && told.kind === "tool-calls" ? null : content,
    ...(told.reasoning === undefined ? {} : reasoningFields(told, told.reasoning)),
    ...(told.kind === "tool-calls" ? { tool_calls: wholeCalls(withIds(told, asked.serial), told.form ?? {}) } : {}),
  };
  const usage = usageOf(told, asked);
  return {
    id: `chatcmpl-${asked.serial}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: asked.body["model"],
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(told) }],
    ...(usage ? { usage } : {}),
  };
}
