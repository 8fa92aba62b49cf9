import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const REST_MS = 20_000;

/**
 * Collects garbage after each time of work, when no work was reported for `restMs` and none is in progress. V8 collects it only while
 * something is allocated, so a service at rest would keep the garbage of its last runs, some hundred MB. Takes about as long as one of
 * V8's own collections.
 */
export function freeMemoryAtRest(isBusy: () => boolean, restMs = REST_MS) {
  const timer = setTimeout(() => {
    if (!isBusy()) collectGarbage();
  }, restMs).unref();
  return {
    /** Call this at the end of work, or more often. */
    worked: (): void => void timer.refresh(),
    close: (): void => clearTimeout(timer),
  };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
