import type { ChatMessage } from "../domain/chat.ts";
import { historyMessages } from "../domain/history.ts";
import type { Turn } from "../domain/task.ts";
import { hideAddresses } from "../evidence/address-filter.ts";

export function short(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}

const MAX_TURNS = 6;

/** Returns the last 6 turns. Removes web addresses from the answers. */
export function lastTurns(history: readonly Turn[]): ChatMessage[] {
  return historyMessages(history.slice(-MAX_TURNS), hideAddresses);
}
