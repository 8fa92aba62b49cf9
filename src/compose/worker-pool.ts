import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { WorkerPool } from "../domain/ports/workers.ts";
import { DossierError } from "../errors.ts";

const IDLE_MS = 30_000;

/** Threads start on demand and end without work. A thread that ends while it works fails its task and is replaced. */
export function createWorkerPool(maxThreads: number): WorkerPool {
  const pool = new Piscina({ minThreads: 0, maxThreads: Math.min(availableParallelism(), maxThreads), idleTimeout: IDLE_MS });
  return {
    async run(entry, name, task, { timeoutMs, signal }) {
      signal?.throwIfAborted();
      const timeout = AbortSignal.timeout(timeoutMs);
      const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      try {
        return await pool.run(task, { filename: entry.href, name, signal: ending });
      } catch (cause) {
        signal?.throwIfAborted();
        if (timeout.aborted)
          throw new DossierError("timeout", `Heavy work was stopped, because it took longer than ${timeoutMs / 1_000} s.`, { cause });
        throw new DossierError("internal", `A worker thread failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
      }
    },
    close: () => pool.destroy(),
  };
}
