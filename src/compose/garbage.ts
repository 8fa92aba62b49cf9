import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const REST_MS = 20_000;
/**
 * By how much the heap may grow between two collections: by this, or by 20 % if that is more. V8 allows up to 300 %, which for 1,000
 * waiting runs are hundreds of MB, and nearly all of a small heap. Each collection stops the thread for 10 to 20 ms, so a small heap should not be collected often.
 */
const GROWTH_BYTES = Math.min(160 * 1_048_576, getHeapStatistics().heap_size_limit / 5);
const MIN_GROWTH_PERCENT = 20;
const MAX_GROWTH_PERCENT = 200;
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
  startNewSpace();
  setGrowth();
  setCompaction();
  const observer = new PerformanceObserver((list) => {
    setNewSpaceGrowth();
    if (!list.getEntries().some((entry) => isMajor(entry as { readonly detail?: unknown }))) return;
    setGrowth();
    setCompaction();
  });
  observer.observe({ entryTypes: ["gc"] });
  const timer = setTimeout(() => {
    if (!isBusy()) collectGarbage();
  }, restMs).unref();
  return {
    /** Call this at the end of work, or more often. */
    worked: (): void => void timer.refresh(),
    close: (): void => {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}

/** Entries of garbage collections have the kind of the collection in `detail`, which the types of Node do not know. */
function isMajor({ detail }: { readonly detail?: unknown }): boolean {
  return (detail as { readonly kind?: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function setGrowth(): void {
  const percent = Math.round((100 * GROWTH_BYTES) / getHeapStatistics().used_heap_size);
  setFlagsFromString(`--heap-growing-percent=${Math.min(Math.max(percent, MIN_GROWTH_PERCENT), MAX_GROWTH_PERCENT)}`);
}

/**
 * Moving what is kept together takes half of the time for which a collection stops the thread. A heap of less than a growth can wait for it
 * until the collection at rest: what is lost between its objects is little.
 */
function setCompaction(): void {
  setFlagsFromString(getHeapStatistics().used_heap_size < GROWTH_BYTES ? "--no-compact" : "--compact");
}

function startNewSpace(): void {
  setFlagsFromString(`--min-semi-space-size=${NEW_MB_OF_THREADS}`);
  // Loading the program has made the space as large as V8 allows.
  if (newSpaceBytes() > MAX_NEW_BYTES) collectGarbage();
}

let growthFactor = 2;

/** V8 takes its own limit only from the command line, and doubles the space after a collection that kept much. */
function setNewSpaceGrowth(): void {
  const factor = newSpaceBytes() < MAX_NEW_BYTES ? 2 : 1;
  if (factor !== growthFactor) setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  growthFactor = factor;
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
}

/** Also compacts and shrinks the heap. */
export function collectGarbage(): void {
  setFlagsFromString("--compact");
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** Below the share at which new runs are refused, so that queued runs leave room for those that work. */
const MAX_SHARE = 0.6;

/** Whether so much of the heap is used that no further run should start. Garbage that was not yet collected counts. */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > MAX_SHARE * limit;
}
