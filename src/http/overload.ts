import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { DossierError } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";

export interface OverloadLimits {
  /** The mean delay of the event loop during `sampleMs`. */
  readonly maxLoopDelayMs: number;
  readonly maxHeapBytes: number;
  readonly sampleMs: number;
  /** Measures the delay of the event loop, in nanoseconds. */
  readonly delay: Pick<ReturnType<typeof monitorEventLoopDelay>, "count" | "mean" | "reset">;
}

const LIMITS = { maxLoopDelayMs: 1_000, maxHeapBytes: 0.9 * getHeapStatistics().heap_size_limit, sampleMs: 5_000 };

/** Refuses new runs with `overloaded` while the event loop or the heap is above its limit. Everything else is answered. */
export function refuseOverload(app: HttpApp, limits: Partial<OverloadLimits> = {}): void {
  const monitor = monitorEventLoopDelay();
  const { maxLoopDelayMs, maxHeapBytes, sampleMs, delay } = { ...LIMITS, delay: monitor, ...limits };
  monitor.enable();
  let isLate = false;
  let isOverloaded = false;
  // process.memoryUsage() throws when no file can be opened any more.
  const timer = setInterval(() => {
    // Without a sample, nothing is known of this time.
    if (delay.count > 0) isLate = delay.mean / 1e6 > maxLoopDelayMs;
    isOverloaded = isLate || getHeapStatistics().used_heap_size > maxHeapBytes;
    delay.reset();
  }, sampleMs).unref();
  app.addHook("onRequest", async ({ method, routeOptions }) => {
    if (isOverloaded && method === "POST" && routeOptions.url === "/research")
      throw new DossierError("overloaded", "Nothing was stored: the server is overloaded. Try again later.");
  });
  app.addHook("onClose", async () => {
    clearInterval(timer);
    monitor.disable();
  });
}
