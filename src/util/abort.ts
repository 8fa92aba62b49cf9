/** Settles like `work`, or rejects with the signal's reason as soon as it is aborted, so that work that ignores its signal holds nobody up. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    // A rejection after the abort has no other listener.
    work.catch(() => {});
  }
}
