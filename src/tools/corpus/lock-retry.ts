import { setTimeout as pause } from "node:timers/promises";
import { isLocked } from "./index-file.ts";

const RETRY_MS = 25;

/** In milliseconds. */
export const MAX_LOCKED_MS = 30_000;

const LONG_MS = 1_000;

/**
 * Tries `work` again while another connection holds the lock, for at most `maxMs`. SQLite would block the thread instead. Calls
 * `onLongLocked` when that takes more than a second. @throws what `work` throws, or the reason of `signal`
 */
export async function retryWhileLocked<T>(
  work: () => T | Promise<T>,
  signal: AbortSignal,
  maxMs = MAX_LOCKED_MS,
  onLongLocked = (): void => undefined,
): Promise<T> {
  for (const since = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      const lockedMs = performance.now() - since;
      if (!isLocked(error) || lockedMs >= maxMs) throw error;
      if (lockedMs >= LONG_MS) onLongLocked();
    }
    await pause(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
