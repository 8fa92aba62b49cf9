import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import type { Rate } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";

/** Hosts remembered at the same time; a host that is forgotten has been idle for longer than any rate lasts. */
const MAX_HOSTS = 2_000;
/** More than so many waiting for one host means that something is wrong; they are refused rather than piled up. */
const MAX_WAITING = 1_000;

/** Holds requests back until the rate of their host or service allows them, across all runs of a process. */
export interface Pacing {
  /** @throws DossierError `rate_limited` when too many wait already; the reason of `signal` */
  run<T>(key: string, rate: Rate, task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createPacing(): Pacing {
  const queues = new LRUCache<string, PQueue>({ max: MAX_HOSTS });
  return {
    async run(key, rate, task, signal) {
      const queue = queues.get(key) ?? createQueue(rate);
      queues.set(key, queue);
      if (queue.size >= MAX_WAITING) throw new DossierError("rate_limited", `Too many requests are waiting for ${key}.`);
      return queue.add(task, { signal });
    },
  };
}

function createQueue({ requests, perMs, concurrent }: Rate): PQueue {
  return new PQueue({ concurrency: concurrent, intervalCap: requests, interval: perMs, strict: true });
}
