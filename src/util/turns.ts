import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 5;
let startedAt: number | null = null;

/**
 * Whether 5 ms have passed since this was first asked in the current turn of the event loop. Work that can wait then goes on in a later
 * turn, so that many runs in step do not hold the loop together.
 */
export function isTurnOver(): boolean {
  const now = performance.now();
  if (startedAt === null) {
    startedAt = now;
    setImmediate(() => {
      startedAt = null;
    });
  }
  return now - startedAt >= TURN_MS;
}

/** Returns a function to await between the pieces of long work. It goes on in the next turn if this one is over. */
export function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  return () => (isTurnOver() ? nextTurn(undefined, { signal }) : undefined);
}

/** Long work as a generator. Each `yield` is a place at which other work may run. */
export type LongWork<Result> = Generator<void, Result>;

/** Does long work without a pause. */
export function finish<Result>(work: LongWork<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Does long work in turns of the event loop. @throws the AbortError of `signal`, or its reason if it is aborted from the start */
export async function finishInTurns<Result>(work: LongWork<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const turn = createTurns(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    const pause = turn();
    if (pause !== undefined) await pause;
  }
}
