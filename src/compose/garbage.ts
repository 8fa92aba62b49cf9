import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const REST_MS = 20_000;
/** By how much the heap may grow between two collections. V8 allows up to 300 %, which for 1,000 waiting runs are hundreds of MB. */
const MAX_GROWTH_PERCENT = 40;
/** The space for new objects. V8 allows 134 MB, and copies what survives there in one piece. */
const MAX_NEW_BYTES = 32 * 1_048_576;
/** With how much of it a thread begins, because the main thread decides how it grows. */
const NEW_MB_OF_THREADS = 8;

/**
 * Bounds the garbage of the process: collects it more often than V8 would, and after each time of work, when no work was reported for
 * `restMs` and none is in progress. V8 collects only while something is allocated, so a service at rest would keep the garbage of its
 * last runs. The collection at rest also gives memory back to the system, and takes about 0.1 s.
 */
export function limitGarbage(isBusy: () => boolean, restMs = REST_MS) {
  setFlagsFromString(`--heap-growing-percent=${MAX_GROWTH_PERCENT}`);
  const newSpace = limitNewSpace();
  const timer = setTimeout(() => {
    if (!isBusy()) collectGarbage();
  }, restMs).unref();
  return {
    /** Call this at the end of work, or more often. */
    worked: (): void => void timer.refresh(),
    close: (): void => {
      clearTimeout(timer);
      newSpace.disconnect();
    },
  };
}

let growthFactor = 2;

/** V8 takes its own limit only from the command line, and doubles the space after a collection that kept much. */
function limitNewSpace(): PerformanceObserver {
  setFlagsFromString(`--min-semi-space-size=${NEW_MB_OF_THREADS}`);
  // Loading the program has made the space as large as V8 allows.
  if (newSpaceBytes() > MAX_NEW_BYTES) collectGarbage();
  const observer = new PerformanceObserver(() => {
    const factor = newSpaceBytes() < MAX_NEW_BYTES ? 2 : 1;
    if (factor !== growthFactor) setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    growthFactor = factor;
  });
  observer.observe({ entryTypes: ["gc"] });
  return observer;
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
}

/** Also compacts and shrinks the heap. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
