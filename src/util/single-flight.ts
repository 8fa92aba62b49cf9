import { unlessAborted } from "./abort.ts";

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Runs `work` at most once at a time. Callers share its result. Aborts `work` when the last waiting caller leaves. */
export function singleFlight<T>(work: (signal: AbortSignal) => Promise<T>) {
  let current: Flight<T> | null = null;

  function start(): Flight<T> {
    const controller = new AbortController();
    const promise = work(controller.signal).finally(() => {
      current = null;
    });
    // Avoids an unhandled rejection after all callers have left.
    promise.catch(() => {});
    return { promise, controller, waiting: 0 };
  }

  async function settled(): Promise<void> {
    await current?.promise.catch(() => {});
  }

  /** Waits for the current execution, or starts one. Rejects when `signal` is aborted. */
  async function join(signal: AbortSignal): Promise<T> {
    // An aborted execution gives no result, but must end before the next one starts.
    while (current?.controller.signal.aborted) await settled();
    signal.throwIfAborted();
    current ??= start();
    const flight = current;
    flight.waiting++;
    try {
      return await unlessAborted(flight.promise, signal);
    } finally {
      flight.waiting--;
      if (flight.waiting === 0) flight.controller.abort();
    }
  }

  return { join, settled };
}
