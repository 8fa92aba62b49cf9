import { isTurnOver } from "../util/turns.ts";

/** Resolves when a piece of a large answer may be made. */
export type BulkTurn = () => Promise<void>;

/**
 * Lets the large answers of all connections make their pieces one after another: in each turn of the event loop as many as fit into 5 ms, at
 * least one. Other requests do not wait for them.
 */
export function createBulkTurns(): BulkTurn {
  const waiting: (() => void)[] = [];
  const goOn = (): void => {
    waiting.shift()?.();
    // A tick that a microtask orders comes after all microtasks, so after the work of this piece.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(afterPiece));
  };
  const afterPiece = (): void => {
    if (isTurnOver()) setImmediate(goOn);
    else goOn();
  };
  return async () => {
    if (waiting.length === 0 && !isTurnOver()) return;
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(goOn);
    });
  };
}
