import { unlessAborted } from "./abort.ts";

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export interface SingleFlight<T> {
  /** Resolves with the result of the running execution, or starts one. Rejects with the reason of `signal` when that is aborted. */
  join(signal: AbortSignal): Promise<T>;
  settled(): Promise<void>;
}

/** Runs `work` once at a time. Callers that arrive meanwhile share its result. `work` is aborted when no caller waits any more. */
export function singleFlight<T>(work: (signal: AbortSignal) => Promise<T>): SingleFlight<T> {
  let current: Flight<T> | null = null;

  function start(): Flight<T> {
    const controller = new AbortController();
    const promise = work(controller.signal).finally(() => {
      current = null;
    });
    // When all callers have left, nobody handles a rejection.
    promise.catch(() => {});
    return { promise, controller, waiting: 0 };
  }

  async function settled(): Promise<void> {
    await current?.promise.catch(() => {});
  }

  async function join(signal: AbortSignal): Promise<T> {
    // An aborted execution has no result, and two must not run at once.
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
