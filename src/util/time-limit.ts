/** A timer that fires later than this was not only waiting: the process stood still, such as a paused container. */
const STOOD_STILL_MS = 250;

/**
 * Calls `end` after `ms`. A timer that fires late waits once more, for as long as it was late: what arrived while the process stood still is
 * read first. Returns a function that stops the timer.
 */
export function startTimeLimit(ms: number, end: () => void): () => void {
  const due = performance.now() + ms;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs > STOOD_STILL_MS) timer = setTimeout(end, lateMs);
    else end();
  }, ms);
  return () => clearTimeout(timer);
}
