import { type JsonValue, wellFormed } from "../domain/json.ts";

/** The kind of the records of a stream's pieces; its end has the kind of the effect. */
export const PIECE = "piece";

/** The name of the piece with that index of the stream `key`. */
export function pieceKey(key: string, index: number): string {
  return `${key}+${index}`;
}

/** The pieces of a stream that is performed now: recorded when they come, passed on in their turn. */
export class LivePieces {
  readonly #record: (result: JsonValue, index: number) => Promise<void>;
  #count = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(record: (result: JsonValue, index: number) => Promise<void>) {
    this.#record = record;
  }

  /** Ignores what comes after `signal` was aborted: the stream's end has been recorded, or never will be. */
  push(piece: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    const passing = this.#record(JSON.parse(JSON.stringify(piece, wellFormed)), this.#count++);
    this.#last = this.#last.then(() => passing);
    // Whoever waits for the end of the stream hears of it.
    this.#last.catch(() => undefined);
    passing.catch(() => undefined);
  }

  /** Resolves when all pieces so far have been passed on; rejects with what the first one was refused with. */
  passed(): Promise<void> {
    return this.#last;
  }
}
