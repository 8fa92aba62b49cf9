import { readdirSync, readFileSync } from "node:fs";

/**
 * A clock in milliseconds that stands still while a process waits for a processor, if the system tells: an answer goes through its first
 * thread and one other, so the waits of the first and the longest of the others are taken out. It stays where it was when the process ends.
 */
export function processClock(pid: number): () => number {
  let waitedMs = 0;
  return () => {
    try {
      const [first = 0, ...others] = readdirSync(`/proc/${pid}/task`).map((thread) => waitOf(`/proc/${pid}/task/${thread}/schedstat`));
      waitedMs = Math.max(waitedMs, first + Math.max(0, ...others));
    } catch {
      // Other systems do not tell, and neither does a process that is gone.
    }
    return performance.now() - waitedMs;
  };
}

/** The second number of `schedstat` is how many nanoseconds a thread was ready and waited (Documentation/scheduler/sched-stats.rst). */
function waitOf(path: string): number {
  return Number(readFileSync(path, "utf8").split(" ")[1]) / 1e6;
}
