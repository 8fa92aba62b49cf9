import { readFileSync } from "node:fs";

/** A clock in milliseconds that stands still while the first thread of a process waits for a processor, if the system tells. */
export function processClock(pid: number): () => number {
  let waitedMs = 0;
  return () => {
    try {
      // The second number is how many nanoseconds the thread was ready and waited (Documentation/scheduler/sched-stats.rst).
      waitedMs = Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
    } catch {
      // Other systems do not tell, and neither does a process that is gone.
    }
    return performance.now() - waitedMs;
  };
}
