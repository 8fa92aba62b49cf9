const TURN_MS = 5;
let startedAt: number | null = null;

/**
 * Whether 5 ms have passed since this was first asked in the current turn of the event loop. Work that can wait then goes on in a later
 * turn, so that many runs in step do not hold the loop together.
 */
export function isTurnOver(): boolean {
  return performance.now() - startOfTurn() >= TURN_MS;
}

function startOfTurn(): number {
  if (startedAt !== null) return startedAt;
  setImmediate(() => {
    startedAt = null;
  });
  startedAt = performance.now();
  return startedAt;
}

/** Calls back when all promises that are settled have gone on, in this turn of the event loop. */
export function afterMicrotasks(callback: () => void): void {
  // Node runs all microtasks before a tick that a microtask asks for.
  queueMicrotask(() => process.nextTick(callback));
}

const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop, in the order of the calls. A turn takes up as much work as begins within its 5 ms. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(beginNext);
  });
}

/** What waits stays in the list while it begins, so that no call of `takeTurn` begins a second chain. */
function beginNext(): void {
  startOfTurn();
  waiting[0]?.();
  afterMicrotasks(() => {
    waiting.shift();
    if (waiting.length === 0) return;
    if (isTurnOver()) setImmediate(beginNext);
    else beginNext();
  });
}

/** Returns a function to await between the pieces of long work. It goes on in a later turn if this one is over. */
export function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  return () => (isTurnOver() ? takeTurn().then(() => signal.throwIfAborted()) : undefined);
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

/** Does long work in turns of the event loop. @throws the reason of `signal` */
export async function finishInTurns<Result>(work: LongWork<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const turn = createTurns(signal);
  for (;;) {
    const pause = turn();
    if (pause !== undefined) await pause;
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
