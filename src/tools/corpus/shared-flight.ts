import { unlessAborted } from "../../util/abort.ts";
import { throwIfAborted } from "./aborted.ts";

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export interface SharedFlight<T> {
  /** The result of the execution under way, or of a new one. Throws `cancelled` or `timeout` when `signal` is aborted. */
  join(signal: AbortSignal): Promise<T>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
}

/**
 * One execution of `work` at a time, shared by all who ask for it meanwhile. Each caller can stop waiting by its own
 * signal; the work is aborted when nobody waits any more.
 */
export function shareFlight<T>(work: (signal: AbortSignal) => Promise<T>): SharedFlight<T> {
  let current: Flight<T> | null = null;

  function depart(): Flight<T> {
    const controller = new AbortController();
    const promise = work(controller.signal).finally(() => {
      current = null;
    });
    // Where all have left, nobody is there to hear how it ended.
    promise.catch(() => {});
    return { promise, controller, waiting: 0 };
  }

  async function settled(): Promise<void> {
    await current?.promise.catch(() => {});
  }

  async function join(signal: AbortSignal): Promise<T> {
    // One that was given up is of no use, but two must not run at once.
    while (current?.controller.signal.aborted) await settled();
    throwIfAborted(signal);
    current ??= depart();
    const flight = current;
    flight.waiting++;
    try {
      return await unlessAborted(flight.promise, signal).catch((error) => {
        throwIfAborted(signal);
        throw error;
      });
    } finally {
      flight.waiting--;
      if (flight.waiting === 0) flight.controller.abort();
    }
  }

  return { join, settled };
}
