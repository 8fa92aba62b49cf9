import { afterMicrotasks, beginTurn } from "./turns.ts";

/** Resolves in a later turn of the event loop, in the order of the calls. @throws the reason of `signal` */
export type TakePacedTurn = (signal: AbortSignal) => Promise<void>;

/**
 * Creates a queue for work of which any amount can be asked for. It does one piece in a turn of the event loop, and then pauses for as long
 * as the piece took: so other work has at least half of the time.
 */
export function createPacedTurns(): TakePacedTurn {
  const waiting: { readonly begin: () => void; readonly signal: AbortSignal }[] = [];
  let pausedUntil = 0;
  /** What waits stays in the list while it begins, so that no call begins a second chain. */
  const beginFirst = (): void => {
    const beganAt = performance.now();
    beginTurn();
    while (waiting[1] !== undefined && waiting[0]?.signal.aborted === true) waiting.shift();
    waiting[0]?.begin();
    afterMicrotasks(() => {
      waiting.shift();
      // What is too short for a timer adds up.
      pausedUntil = Math.max(pausedUntil, beganAt) + 2 * (performance.now() - beganAt);
      if (waiting.length > 0) beginLater();
    });
  };
  const beginLater = (): void => {
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs < 1) setImmediate(beginFirst);
    else setTimeout(beginFirst, pauseMs);
  };
  return (signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = (): void => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      if (waiting.push({ begin, signal }) === 1) beginLater();
    });
}
