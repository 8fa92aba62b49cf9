import { setTimeout as pause } from "node:timers/promises";
import { isLocked } from "./index-file.ts";

const RETRY_MS = 25;

/** In milliseconds. */
export const MAX_LOCKED_MS = 30_000;

/**
 * Tries `work` again while another connection holds the lock, for at most `maxMs`. SQLite would block the thread instead.
 * @throws what `work` throws, or the reason of `signal`
 */
export async function retryWhileLocked<T>(work: () => T | Promise<T>, signal: AbortSignal, maxMs = MAX_LOCKED_MS): Promise<T> {
  for (const since = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() - since >= maxMs) throw error;
    }
    await pause(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
