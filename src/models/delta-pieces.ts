import type { ChatDelta } from "../domain/chat.ts";
import { maskSoFar } from "../util/mask-values.ts";

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

const GATHER_MS = 50;
const GATHER_CHARACTERS = 400;

/**
 * Joins small pieces, so that the journal does not record every token. The first piece is not delayed. Masks the key of the server, also
 * where pieces divide it.
 */
export class DeltaGatherer {
  readonly #push: (delta: ChatDelta) => void;
  readonly #secrets: readonly string[];
  #content = "";
  #reasoning = "";
  #calls: ChatDelta["toolCalls"] = [];
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(push: (delta: ChatDelta) => void, secrets: readonly string[] = []) {
    this.#push = push;
    this.#secrets = secrets;
  }

  add({ content, reasoning, toolCalls }: ChatDelta): void {
    this.#content += content;
    this.#reasoning += reasoning;
    this.#calls = [...this.#calls, ...toolCalls];
    const wait = this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0 || this.#content.length + this.#reasoning.length >= GATHER_CHARACTERS) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  flush(secrets = this.#secrets): void {
    this.stop();
    const [content, heldContent] = maskSoFar(this.#content, secrets);
    const [reasoning, heldReasoning] = maskSoFar(this.#reasoning, secrets);
    const toolCalls = this.#calls;
    [this.#content, this.#reasoning, this.#calls] = [heldContent, heldReasoning, []];
    if (content === "" && reasoning === "" && toolCalls.length === 0) return;
    this.#flushedAt = performance.now();
    this.#push({ content, reasoning, toolCalls });
  }

  end(): void {
    this.flush();
    this.flush([]);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
