import { type JsonValue, wellFormed } from "../domain/json.ts";
import type { StreamedEffect } from "../domain/ports/effects.ts";
import type { JournalRecord } from "../domain/recording.ts";
import { toDossierError } from "../errors.ts";
import { unlessAborted } from "../util/abort.ts";

/** The kind of the records of a stream's pieces; its end has the kind of the effect. */
export const PIECE = "piece";

/** The name of the piece with that index of the stream `key`. */
export function pieceKey(key: string, index: number): string {
  return `${key}+${index}`;
}

interface Options<T, C> {
  readonly effect: StreamedEffect<T, C>;
  /** Records a piece. */
  readonly record: (result: JsonValue, index: number) => JournalRecord;
  /** Resolves when it is the record's turn. */
  readonly turn: (record: JournalRecord) => Promise<void>;
}

/**
 * The pieces of one stream, passed on in their turn. After one that `onPiece` refused none is passed on, but all have their turn:
 * how many came before the stream was stopped is chance, and a replay must find them where they were.
 */
export class StreamPieces<T, C> {
  /** How many there are so far. */
  count = 0;
  readonly #options: Options<T, C>;
  readonly #refusal = new AbortController();
  #refused: { readonly error: unknown } | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(options: Options<T, C>) {
    this.#options = options;
  }

  /** Passes on a piece that is recorded; rejects where the run is stopped before its turn. */
  async pass(record: JournalRecord): Promise<void> {
    this.count += 1;
    await this.#options.turn(record);
    if (this.#refused !== null) return;
    try {
      this.#options.effect.onPiece(record.result as C);
    } catch (error) {
      this.#refused = { error };
      this.#refusal.abort(toDossierError(error));
    }
  }

  /** Performs the effect; what it pushes after its end or after `signal` was aborted is ignored. Fails as `live`, or when a piece is refused. */
  async perform(signal: AbortSignal): Promise<T> {
    const stop = AbortSignal.any([signal, this.#refusal.signal]);
    let open = true;
    const push = (piece: C): void => {
      if (open && !stop.aborted) this.#push(piece);
    };
    try {
      return await unlessAborted(this.#options.effect.live(stop, push), stop);
    } finally {
      open = false;
    }
  }

  /** Resolves when all pieces have had their turn; rejects where the run is stopped before. */
  passed(): Promise<void> {
    return this.#last;
  }

  /** @throws what `onPiece` threw */
  throwIfRefused(): void {
    if (this.#refused !== null) throw this.#refused.error;
  }

  #push(piece: C): void {
    // Through JSON once, so that live code sees exactly what a replay will see.
    const result: JsonValue = JSON.parse(JSON.stringify(piece ?? null, wellFormed));
    // Turns come in the order of records: the last piece's is the last one.
    this.#last = this.pass(this.#options.record(result, this.count));
    // Whoever waits for the end of the stream hears of it.
    this.#last.catch(() => undefined);
  }
}
