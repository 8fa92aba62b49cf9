import { getHeapStatistics } from "node:v8";

/** Below the share at which new runs are refused, so that queued runs leave room for those that work. */
const MAX_SHARE = 0.6;

/** Whether so much of the heap is used that no further run should start. Garbage that was not yet collected counts. */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > MAX_SHARE * limit;
}
