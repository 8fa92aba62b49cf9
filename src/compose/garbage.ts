import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const REST_MS = 20_000;
/** By how much the heap may grow between two collections. V8 allows up to 300 %, which for 1,000 waiting runs are hundreds of MB. */
const MAX_GROWTH_PERCENT = 50;

/**
 * Bounds the garbage of the process: collects it more often than V8 would, and after each time of work, when no work was reported for
 * `restMs` and none is in progress. V8 collects only while something is allocated, so a service at rest would keep the garbage of its
 * last runs. The collection at rest takes about as long as one of V8's own.
 */
export function limitGarbage(isBusy: () => boolean, restMs = REST_MS) {
  setFlagsFromString(`--heap-growing-percent=${MAX_GROWTH_PERCENT}`);
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
