import type { ChatMessage } from "../../domain/chat.ts";
import type { Turn } from "../../domain/request.ts";

const MAX_TURNS = 6;
const MAX_ANSWER_LENGTH = 2_000;

/** The last turns of a thread as messages; long answers are cut. */
export function historyMessages(history: readonly Turn[]): ChatMessage[] {
  return history.slice(-MAX_TURNS).flatMap(({ question, answer }): ChatMessage[] => {
    const cut = answer.length > MAX_ANSWER_LENGTH ? `${answer.slice(0, MAX_ANSWER_LENGTH).toWellFormed()}…` : answer;
    return [
      { role: "user", content: question },
      { role: "assistant", content: cut || "…", toolCalls: [] },
    ];
  });
}
