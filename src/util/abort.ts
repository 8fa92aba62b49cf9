/**
 * Begins a timeout, which ends when it is disposed: `using limit = startTimeout(1_000)`. The timer of `AbortSignal.timeout` keeps the run
 * that started it in memory until its time is over.
 */
export function startTimeout(timeoutMs: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(`No end within ${timeoutMs} ms.`, "TimeoutError")), timeoutMs).unref();
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
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
