import type { ChatMessage } from "../../domain/chat.ts";
import { historyMessages } from "../../domain/history.ts";
import type { Turn } from "../../domain/request.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";

/** A decision or a report needs to know what is talked about, not the whole talk. */
const MAX_TURNS = 6;

/** The last turns of a conversation as messages, without web addresses in answers. */
export function lastTurns(history: readonly Turn[]): ChatMessage[] {
  return historyMessages(history.slice(-MAX_TURNS), (answer) => stripUnknownAddresses(answer, []));
}
