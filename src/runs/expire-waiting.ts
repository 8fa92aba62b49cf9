import type { RunStore } from "../domain/ports/run-store.ts";

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

interface ExpiryOptions {
  readonly store: Pick<RunStore, "cancelWaiting">;
  readonly days: number;
  readonly clock: () => number;
  readonly onEnded: (runId: string) => void;
}

export interface Expiry {
  /** Ends what has waited for too long by now. */
  look(): Promise<void>;
  close(): void;
}

/** Cancels runs that have waited for their user for more than so many days: looks when it is asked to, and every hour. */
export function expireWaiting({ store, days, clock, onEnded }: ExpiryOptions): Expiry {
  const look = async (): Promise<void> => {
    for (let ids = await ended(); ids.length > 0; ids = await ended()) for (const id of ids) onEnded(id);
  };
  const ended = (): Promise<string[]> => store.cancelWaiting(clock() - days * DAY_MS, clock());
  // A database that refuses tells of it by itself; the next hour looks again.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return { look, close: () => clearInterval(timer) };
}
