import type { Computation } from "../domain/computation.ts";
import { type JsonValue, toJson } from "../domain/json.ts";
import type { Effect, KeptReplies, StreamedEffect } from "../domain/ports/effects.ts";
import type { EffectReplies, JournalOptions } from "../domain/ports/journal.ts";
import type { JournalRecord } from "../domain/recording.ts";
import { DossierError, type ErrorCode, storedError, toDossierError } from "../errors.ts";
import { limitTime, unlessAborted } from "../util/abort.ts";

type Completion = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: DossierError };

export const NO_REPLIES: EffectReplies = { any: false, take: () => null, keep: () => undefined, close: () => undefined };

/** Performs the effect, which fails with `timeout` after `timeoutMs`. @throws `signal.reason` if the run is stopped first */
export async function performLive<T>(
  effect: Pick<Effect<T>, "timeoutMs" | "live">,
  signal: AbortSignal,
  replies: KeptReplies = NO_REPLIES,
): Promise<Completion> {
  signal.throwIfAborted();
  const { timeoutMs } = effect;
  using limit = limitTime(timeoutMs, signal, () => new DossierError("timeout", `No answer within ${timeoutMs} ms.`));
  try {
    return { ok: true, value: await unlessAborted(effect.live(limit.signal, replies), limit.signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, error: toDossierError(limit.isOver ? limit.signal.reason : error) };
  }
}

type Outcome = Pick<JournalRecord, "ok" | "result">;

/** The maximum length of a recorded result in UTF-16 code units of JSON. */
const MAX_RESULT_LENGTH = 16_000_000;

export type MaskResult = <T>(result: T) => T;

export function completionRecord(completion: Completion, mask: MaskResult): Outcome {
  if (!completion.ok) return mask(failureRecord(completion.error));
  // A live run must get exactly what a replay gets, so the value passes through JSON.
  const text = toJson(completion.value);
  if (text.length <= MAX_RESULT_LENGTH) return { ok: true, result: mask(JSON.parse(text)) };
  const message = `The result has ${text.length} characters; at most ${MAX_RESULT_LENGTH} can be recorded. It was not kept.`;
  return failureRecord({ code: "document_too_large", message });
}

type Failure = { readonly code: ErrorCode; readonly message: string; readonly limitTokens?: number | undefined };

export function failureRecord({ code, message, limitTokens }: Failure): Outcome {
  return { ok: false, result: { code, message, ...(limitTokens !== undefined && { limitTokens }) } };
}

export function errorOf({ result }: JournalRecord): DossierError {
  return storedError(result as { code: string; message: string; limitTokens?: number });
}

/** Performs an effect whose result is not recorded, and keeps the result. */
export class Loading<T> {
  readonly effect: Effect<null>;
  readonly #original: Effect<T>;
  #loaded: { readonly value: T } | null = null;

  constructor(original: Effect<T>) {
    this.#original = original;
    const live: Effect<null>["live"] = async (signal, replies) => {
      this.#loaded = { value: await original.live(signal, replies) };
      return null;
    };
    this.effect = { ...original, live };
  }

  /** Performs the effect again if this process has not performed it. */
  async value(signal: AbortSignal): Promise<T> {
    if (this.#loaded !== null) return this.#loaded.value;
    const again = await performLive(this.#original, signal);
    if (!again.ok) throw again.error;
    return again.value as T;
  }
}

const COMPUTE_THREAD = new URL("./compute-thread.ts", import.meta.url);
/** With the wait for a thread, which may be busy with the texts of other runs. */
const COMPUTE_TIMEOUT_MS = 300_000;

/** Its request is only a name: the result is not recorded, and hashing a large input would take longer than copying it. */
export function computing<Input extends readonly unknown[], Result>(
  { module, run, sizeOf }: Computation<Input, Result>,
  input: Input,
  workers: JournalOptions["workers"],
): Effect<Result> {
  const live = async (signal: AbortSignal): Promise<Result> =>
    workers === undefined
      ? run(...input)
      : workers.run(
          COMPUTE_THREAD,
          "compute",
          { module, name: run.name, input },
          { timeoutMs: COMPUTE_TIMEOUT_MS, signal, size: sizeOf(...input) },
        );
  return { kind: "compute", request: run.name, timeoutMs: COMPUTE_TIMEOUT_MS, recorded: false, live };
}

export const PIECE = "piece";

export function pieceKey(key: string, index: number): string {
  return `${key}+${index}`;
}

interface PieceOptions<T, C> {
  readonly effect: StreamedEffect<T, C>;
  readonly mask: MaskResult;
  readonly append: (result: JsonValue, index: number) => JournalRecord;
  readonly waitForRelease: (record: JournalRecord) => Promise<void>;
}

/** After `onPiece` throws, pieces that still arrive are recorded, but not passed to `onPiece`. */
export class StreamPieces<T, C> {
  count = 0;
  readonly #options: PieceOptions<T, C>;
  readonly #refusal = new AbortController();
  #refused: { readonly error: unknown } | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(options: PieceOptions<T, C>) {
    this.#options = options;
  }

  async pass(record: JournalRecord): Promise<void> {
    this.count += 1;
    await this.#options.waitForRelease(record);
    if (this.#refused !== null) return;
    try {
      this.#options.effect.onPiece(record.result as C);
    } catch (error) {
      this.#refused = { error };
      this.#refusal.abort(toDossierError(error));
    }
  }

  async perform(signal: AbortSignal, replies: KeptReplies): Promise<T> {
    const stop = AbortSignal.any([signal, this.#refusal.signal]);
    let open = true;
    const push = (piece: C): void => {
      if (open && !stop.aborted) this.#push(piece);
    };
    try {
      return await unlessAborted(this.#options.effect.live(stop, push, replies), stop);
    } finally {
      open = false;
    }
  }

  passed(): Promise<void> {
    return this.#last;
  }

  throwIfRefused(): void {
    if (this.#refused !== null) throw this.#refused.error;
  }

  #push(piece: C): void {
    const result: JsonValue = this.#options.mask(JSON.parse(toJson(piece)));
    this.#last = this.pass(this.#options.append(result, this.count));
    this.#last.catch(() => undefined);
  }
}

/** Results that earlier executions of a segment recorded. Each result is used once. */
export class EarlierResults {
  readonly #results = new Map<string, JournalRecord[]>();

  constructor(epochs: readonly (readonly JournalRecord[])[], taken: readonly JournalRecord[]) {
    for (const epoch of epochs) {
      for (const [request, records] of byRequest(epoch)) {
        if (records.length >= (this.#results.get(request)?.length ?? 0)) this.#results.set(request, records);
      }
    }
    for (const [request, { length }] of byRequest(taken)) this.#results.get(request)?.splice(0, length);
  }

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

/** A key is `path#kind#hash#ordinal`. */
function requestOf(key: string): string {
  return key.split("#").slice(-3, -1).join("#");
}
