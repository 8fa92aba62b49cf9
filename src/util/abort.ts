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
