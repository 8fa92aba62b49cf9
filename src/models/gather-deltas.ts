import type { ChatDelta } from "../domain/chat.ts";

const GATHER_MS = 50;
const GATHER_CHARACTERS = 400;

/** Gathers the pieces of a stream, so that a record of it holds a few hundred pieces and not every token. The first goes at once. */
export class DeltaGatherer {
  readonly #push: (delta: ChatDelta) => void;
  #content = "";
  #reasoning = "";
  #calls: ChatDelta["toolCalls"] = [];
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(push: (delta: ChatDelta) => void) {
    this.#push = push;
  }

  add({ content, reasoning, toolCalls }: ChatDelta): void {
    this.#content += content;
    this.#reasoning += reasoning;
    this.#calls = [...this.#calls, ...toolCalls];
    const wait = this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0 || this.#content.length + this.#reasoning.length >= GATHER_CHARACTERS) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Hands on what there is; to be called at the end as well. */
  flush(): void {
    this.stop();
    if (this.#content === "" && this.#reasoning === "" && this.#calls.length === 0) return;
    this.#flushedAt = performance.now();
    const delta = { content: this.#content, reasoning: this.#reasoning, toolCalls: this.#calls };
    this.#content = "";
    this.#reasoning = "";
    this.#calls = [];
    this.#push(delta);
  }

  /** Nothing more is handed on by itself. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
