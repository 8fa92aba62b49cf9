import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import PQueue from "p-queue";
import { Piscina } from "piscina";
import type { WorkerPool } from "../domain/ports/workers.ts";
import { DossierError } from "../errors.ts";
import { limitTime } from "../util/abort.ts";

const IDLE_MS = 30_000;
/**
 * Where processors are few, the event loop goes before the threads, which still get a quarter of a processor that they share with it. Only
 * Linux has a priority for each thread.
 */
const NICE = process.platform === "linux" ? 5 : 0;

/** Tasks of this size take a tenth of a second. Most texts are shorter. */
const LONG_TASK = 100_000;

/**
 * Threads start on demand and end without work. A thread that ends while it works fails its task and is replaced. One thread is kept for short
 * tasks, so that a search does not wait for the analysis of large texts; of long tasks the smaller ones go first.
 */
export function createWorkerPool(maxThreads: number): WorkerPool {
  const threads = Math.min(Math.max(2, availableParallelism()), maxThreads);
  const resourceLimits = { maxYoungGenerationSizeMb: 24 };
  // Threads do not inherit the compile cache, which saves 40 % of the time that loading a module takes.
  const cache = getCompileCacheDir();
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
  const pool = new Piscina({ minThreads: 0, maxThreads: threads, idleTimeout: IDLE_MS, niceIncrement: NICE, resourceLimits, env });
  // Piscina's own queue stops if every thread ends, so tasks wait in this one and each meets a free thread.
  const queue = new PQueue({ concurrency: threads });
  const longTasks = new PQueue({ concurrency: Math.max(1, threads - 1) });
  const closing = new AbortController();
  // A thread that fails while it starts has no task yet. The task then ends by its signal.
  pool.on("error", () => undefined);
  return {
    async run(entry, name, task, { timeoutMs, signal, size = 0 }) {
      const ended = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      const perform = async () => {
        using limit = limitTime(timeoutMs, ended);
        try {
          return await pool.run(task, { filename: entry.href, name, signal: limit.signal });
        } catch (cause) {
          ended.throwIfAborted();
          if (limit.isOver)
            throw new DossierError("timeout", `Heavy work was stopped, because it took longer than ${timeoutMs / 1_000} s.`, { cause });
          throw new DossierError("internal", `A worker thread failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
        }
      };
      ended.throwIfAborted();
      const begin = () => queue.add(perform, { signal: ended });
      return size < LONG_TASK ? begin() : longTasks.add(begin, { signal: ended, priority: -size });
    },
    async close() {
      closing.abort(new DossierError("cancelled", "The work was cancelled, because the service is shutting down."));
      await pool.destroy();
    },
  };
}
