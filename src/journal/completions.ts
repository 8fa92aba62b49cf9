import { type JsonValue, replaceLoneSurrogates } from "../domain/json.ts";
import type { Effect, ReferencedEffect, StreamedEffect } from "../domain/ports/effects.ts";
import type { JournalRecord } from "../domain/recording.ts";
import { DossierError, isErrorCode, toDossierError } from "../errors.ts";
import { unlessAborted } from "../util/abort.ts";

/** What came of an effect, in the form in which it is recorded. */
type Completion = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: DossierError };

/**
 * Performs the effect within its time. Fails with what `live` threw (anything foreign becomes `internal`) or `timeout`.
 * @throws the reason of `signal` when the run is stopped meanwhile: such an effect has no completion to record
 */
export async function performLive<T>(effect: Pick<Effect<T>, "timeoutMs" | "live">, signal: AbortSignal): Promise<Completion> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const stop = AbortSignal.any([signal, limit.signal]);
  const timer = setTimeout(() => limit.abort(new DossierError("timeout", `No answer within ${effect.timeoutMs} ms.`)), effect.timeoutMs);
  try {
    return { ok: true, value: await unlessAborted(effect.live(stop), stop) };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, error: toDossierError(limit.signal.aborted ? limit.signal.reason : error) };
  } finally {
    clearTimeout(timer);
  }
}

type Kept = Pick<JournalRecord, "ok" | "result">;

/** The longest JSON text of one result; what is longer belongs into the document store. */
const MAX_RESULT_LENGTH = 16_000_000;

/** What is kept of what came of an effect. */
export function completionRecord<T>(completion: Completion, effect: Effect<T> | ReferencedEffect<T>): Kept {
  if (!completion.ok) return failureRecord(completion.error);
  const value = "reference" in effect ? effect.reference(completion.value as T) : completion.value;
  // Through JSON once, so that live code sees exactly what a replay will see.
  const text = JSON.stringify(value ?? null, replaceLoneSurrogates);
  if (text.length <= MAX_RESULT_LENGTH) return { ok: true, result: JSON.parse(text) };
  const message = `The result has ${text.length} characters; at most ${MAX_RESULT_LENGTH} are kept.`;
  return failureRecord(new DossierError("document_too_large", message));
}

/** What is kept of a failure. */
export function failureRecord({ code, message }: DossierError): Kept {
  return { ok: false, result: { code, message } };
}

/** The failure that a record keeps; `internal` where its code is none of ours. */
export function errorOf(record: JournalRecord): DossierError {
  const { code, message } = record.result as { code: string; message: string };
  return new DossierError(isErrorCode(code) ? code : "internal", message);
}

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
    const result: JsonValue = JSON.parse(JSON.stringify(piece ?? null, replaceLoneSurrogates));
    // Turns come in the order of records: the last piece's is the last one.
    this.#last = this.pass(this.#options.record(result, this.count));
    // Whoever waits for the end of the stream hears of it.
    this.#last.catch(() => undefined);
  }
}

/**
 * Recorded results by request alone, for a segment that is begun again on other code. A later epoch has already taken over
 * what it asked for, so for each request the epoch that knows it most often counts, and no result is handed out twice.
 */
export class RequestCache {
  readonly #results = new Map<string, JournalRecord[]>();

  /** @param taken what the segment has recorded since it was begun again: that much is spent */
  constructor(epochs: readonly (readonly JournalRecord[])[], taken: readonly JournalRecord[]) {
    for (const epoch of epochs) {
      for (const [request, records] of byRequest(epoch)) {
        if (records.length >= (this.#results.get(request)?.length ?? 0)) this.#results.set(request, records);
      }
    }
    for (const [request, { length }] of byRequest(taken)) this.#results.get(request)?.splice(0, length);
  }

  /** The next recorded result of the key's kind and request, which is then spent. */
  take(key: string): JournalRecord | undefined {
    return this.#results.get(requestOf(key))?.shift();
  }
}

function byRequest(records: readonly JournalRecord[]): Map<string, JournalRecord[]> {
  return Map.groupBy(
    records.filter((record) => record.kind !== "control" && record.kind !== PIECE),
    (record) => requestOf(record.key),
  );
}

/** The part of a key that names kind and request, whatever task asked for it: `path#kind#hash#ordinal`. */
function requestOf(key: string): string {
  return key.split("#").slice(-3, -1).join("#");
}
