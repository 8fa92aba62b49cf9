import type { Effect } from "../domain/ports/effects.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { unlessAborted } from "../util/abort.ts";

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
