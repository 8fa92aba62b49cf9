import type { ChatDelta } from "../domain/chat.ts";

/** In UTF-16 code units. The filters of a text take milliseconds for a piece of this length. */
const MAX_PIECE = 2_000;

/** Cuts a long delta into pieces. A server may send a megabyte at once. */
export function* deltaPieces(delta: ChatDelta): Generator<ChatDelta> {
  const { content, reasoning, toolCalls } = delta;
  if (content.length + reasoning.length <= MAX_PIECE) return yield delta;
  for (const piece of textPieces(reasoning)) yield { content: "", reasoning: piece, toolCalls: [] };
  for (const piece of textPieces(content)) yield { content: piece, reasoning: "", toolCalls: [] };
  if (toolCalls.length > 0) yield { content: "", reasoning: "", toolCalls };
}

function* textPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_PIECE;
    const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1));
    const next = splitsPair ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}
