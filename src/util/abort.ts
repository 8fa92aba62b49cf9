/** A timer that fires later than this was not only waiting: the process stood still, such as a paused container. */
const STOOD_STILL_MS = 250;
/** Longer than it takes to read what arrived meanwhile. */
const MAX_GRACE_MS = 5_000;

/**
 * Calls `end` after `ms`. A timer that fires late waits once more, for as long as it was late and at most five seconds: what arrived while the
 * process stood still is read first. Returns a function that stops the timer.
 */
export function startTimeLimit(ms: number, end: () => void): () => void {
  const due = performance.now() + ms;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs > STOOD_STILL_MS) timer = setTimeout(end, Math.min(lateMs, MAX_GRACE_MS));
    else end();
  }, ms);
  return () => clearTimeout(timer);
}

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
