import { startTimeLimit } from "./time-limit.ts";

interface TimeLimit extends Disposable {
  /** Aborted when the time is over, or with the reason of `within`. Work that goes on after the disposal is not stopped by it. */
  readonly signal: AbortSignal;
  readonly isOver: boolean;
}

/**
 * Limits work within other work: `using limit = limitTime(1_000, signal)`. Does what `AbortSignal.any` with `AbortSignal.timeout` does, but
 * leaves nothing behind: their weak references make each collection of garbage longer, and the timer keeps a run in memory.
 */
export function limitTime(timeoutMs: number, within: AbortSignal, reason: () => Error = () => tooLate(timeoutMs)): TimeLimit {
  const controller = new AbortController();
  let isOver = false;
  const stop = (): void => controller.abort(within.reason);
  const stopTimer = startTimeLimit(timeoutMs, () => {
    isOver = !controller.signal.aborted;
    controller.abort(reason());
  });
  if (within.aborted) stop();
  else within.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    [Symbol.dispose]() {
      stopTimer();
      within.removeEventListener("abort", stop);
    },
  };
}

function tooLate(timeoutMs: number): Error {
  return new DOMException(`No end within ${timeoutMs} ms.`, "TimeoutError");
}

/** Settles like `work`, but rejects as soon as `signal` is aborted, even if `work` continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    // Avoids an unhandled rejection if `work` rejects after the abort.
    work.catch(() => {});
  }
}
