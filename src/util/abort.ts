/** A timer that fires later than this was not only waiting: the process stood still, such as a paused container. */
const STOOD_STILL_MS = 250;
/** Longer than it takes to read what arrived meanwhile. */
const MAX_GRACE_MS = 5_000;

/** Time in which the process stands still does not count, and is noticed once in so long. */
const LOOK_MS = 1_000;

/**
 * Calls `end` after `ms` in which this process worked. A timer that fires late because the process stood still waits on, for as long as it
 * was late and at most five seconds: what arrived meanwhile is read first. Returns a function that stops the timer.
 */
export function startTimeLimit(ms: number, end: () => void): () => void {
  let left = ms;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const part = Math.min(left, LOOK_MS);
    const due = performance.now() + part;
    timer = setTimeout(() => {
      const lateMs = performance.now() - due;
      const stoodStill = lateMs > STOOD_STILL_MS;
      left = stoodStill ? Math.max(left - part, Math.min(lateMs, MAX_GRACE_MS)) : left - part - lateMs;
      if (left > 0) wait();
      else end();
    }, part);
  };
  wait();
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
export function limitTime(timeoutMs: number, within: AbortSignal, reason?: () => Error): TimeLimit {
  const controller = new AbortController();
  let isOver = false;
  const stop = (): void => controller.abort(within.reason);
  const stopTimer = startTimeLimit(timeoutMs, () => {
    isOver = !controller.signal.aborted;
    controller.abort(reason?.() ?? new DOMException(`No end within ${timeoutMs} ms.`, "TimeoutError"));
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
