import { DossierError } from "../../errors.ts";

/** Throws what `signal` was aborted with, as ours: `timeout` for a time limit, otherwise `cancelled`. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

export function abortError(signal: AbortSignal): DossierError {
  const reason: unknown = signal.reason;
  if (reason instanceof DossierError) return reason;
  const timedOut = reason instanceof Error && reason.name === "TimeoutError";
  return timedOut
    ? new DossierError("timeout", "The source took longer than its time limit.", { cause: reason })
    : new DossierError("cancelled", "The search of the source was cancelled.", { cause: reason });
}
