/** A timer that fires later than this was not only waiting: the process stood still, such as a paused container. */
const STOOD_STILL_MS = 250;
/** Longer than it takes to read what arrived meanwhile. */
const MAX_GRACE_MS = 5_000;

/**
 * Calls `end` after `ms`. A timer that fires late waits once more, for as long as it was late and at most five seconds: what arrived while the
 * process stood still is read first. Returns a function that stops the timer.
 */
export function startTimeLimit(ms: number, end: () => void): () => void {
  const due = performance.now() + ms;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs > STOOD_STILL_MS) timer = setTimeout(end, Math.min(lateMs, MAX_GRACE_MS));
    else end();
  }, ms);
  return () => clearTimeout(timer);
}
