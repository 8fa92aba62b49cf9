import type { ChatDelta } from "../domain/chat.ts";
import { maskSoFar } from "../util/mask-values.ts";

/** The filters of a text take milliseconds for a piece of this length. */
const PIECES = /[\s\S]{1,2000}/gu;

/** Cuts a long delta into pieces. A server may send a megabyte at once. */
export function* deltaPieces({ content, reasoning, toolCalls }: ChatDelta): Generator<ChatDelta> {
  for (const [piece] of reasoning.matchAll(PIECES)) yield { content: "", reasoning: piece, toolCalls: [] };
  for (const [piece] of content.matchAll(PIECES)) yield { content: piece, reasoning: "", toolCalls: [] };
  if (toolCalls.length > 0) yield { content: "", reasoning: "", toolCalls };
}

const GATHER_MS = 50;
const GATHER_CHARACTERS = 400;

/**
 * Joins small pieces, so that the journal does not record every token. The first piece is not delayed. Masks the key of the server, also
 * where pieces divide it.
 */
export class DeltaGatherer {
  readonly #push: (delta: ChatDelta) => void;
  readonly #turn: () => Promise<void> | undefined;
  readonly #secrets: readonly string[];
  #content = "";
  #reasoning = "";
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(push: (delta: ChatDelta) => void, turn: () => Promise<void> | undefined, secrets: readonly string[] = []) {
    this.#push = push;
    this.#turn = turn;
    this.#secrets = secrets;
  }

  /** Waits for a later turn of the event loop between the pieces of a long delta. */
  async add(delta: ChatDelta): Promise<void> {
    for (const piece of deltaPieces(delta)) {
      await this.#turn();
      this.#addPiece(piece);
    }
  }

  #addPiece({ content, reasoning, toolCalls }: ChatDelta): void {
    this.#content += content;
    this.#reasoning += reasoning;
    const isLong = this.#content.length + this.#reasoning.length >= GATHER_CHARACTERS;
    const wait = isLong || toolCalls.length > 0 ? 0 : this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0) this.#flush(this.#secrets, toolCalls);
    else this.#timer ??= setTimeout(() => this.#flush(this.#secrets), wait);
  }

  end(): void {
    this.#flush([]);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flush(secrets: readonly string[], toolCalls: ChatDelta["toolCalls"] = []): void {
    this.stop();
    const [content, heldContent] = maskSoFar(this.#content, secrets);
    const [reasoning, heldReasoning] = maskSoFar(this.#reasoning, secrets);
    [this.#content, this.#reasoning] = [heldContent, heldReasoning];
    if (content === "" && reasoning === "" && toolCalls.length === 0) return;
    this.#flushedAt = performance.now();
    this.#push({ content, reasoning, toolCalls });
  }
}
