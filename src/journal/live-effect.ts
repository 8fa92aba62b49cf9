import type { Effect } from "../domain/ports/effects.ts";
import { DossierError, toDossierError } from "../errors.ts";

/** What came of an effect, in the form in which it is recorded. */
export type Completion = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: DossierError };

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

/** The promise, or the signal's reason as soon as it is aborted: work that ignores its signal must not hold a run. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  // The work itself may have stopped the run before it first paused.
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
