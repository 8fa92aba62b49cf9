import { getHeapStatistics } from "node:v8";
import { fastifyUnderPressure } from "@fastify/under-pressure";
import { DossierError } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";

export interface OverloadLimits {
  /** The mean delay of the event loop during `sampleMs`. */
  readonly maxLoopDelayMs: number;
  readonly maxHeapBytes: number;
  readonly sampleMs: number;
}

const LIMITS: OverloadLimits = { maxLoopDelayMs: 1_000, maxHeapBytes: 0.9 * getHeapStatistics().heap_size_limit, sampleMs: 5_000 };

/** Refuses new runs with `overloaded` while the event loop or the heap is above its limit. Everything else is answered. */
export async function refuseOverload(app: HttpApp, limits: Partial<OverloadLimits> = {}): Promise<void> {
  const { maxLoopDelayMs, maxHeapBytes, sampleMs } = { ...LIMITS, ...limits };
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: maxLoopDelayMs,
    maxHeapUsedBytes: maxHeapBytes,
    sampleInterval: sampleMs,
    pressureHandler: async ({ method, routeOptions }) => {
      if (method !== "POST" || routeOptions.url !== "/research") return;
      throw new DossierError("overloaded", "Nothing was stored: the server is overloaded. Try again later.");
    },
  });
}
