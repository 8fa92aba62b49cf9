import { setImmediate } from "node:timers/promises";

/** Long work as a generator. Each `yield` is a place at which other work may run. */
export type LongWork<Result> = Generator<void, Result>;

const TURN_MS = 8;

/** Returns a function to await between the pieces of long work. It lets the event loop turn once the work has held it for 8 ms. */
export function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return setImmediate(undefined, { signal }).then(() => {
      since = performance.now();
    });
  };
}

/** Does long work without a pause. */
export function finish<Result>(work: LongWork<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Does long work in turns of the event loop. @throws the AbortError of `signal` */
export async function finishInTurns<Result>(work: LongWork<Result>, signal: AbortSignal): Promise<Result> {
  const turn = createTurns(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await turn();
  }
}
