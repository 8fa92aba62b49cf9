import { unlessAborted } from "./abort.ts";

/** A full collection of garbage (about 15 ms) and a turn must fit into 20 ms. Shorter turns cost more commits. */
const TURN_MS = 3;
let startedAt: number | null = null;

/**
 * Whether 3 ms have passed since this was first asked in the current turn of the event loop. Work that can wait then goes on in a later
 * turn, so that many runs in step do not hold the loop together.
 */
export function isTurnOver(): boolean {
  return performance.now() - startOfTurn() >= TURN_MS;
}

/** Begins to count the time of this turn, unless something else did so. Call this before work that does not ask whether the turn is over. */
export function beginTurn(): void {
  startOfTurn();
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

/** Resolves in a later turn of the event loop, in the order of the calls. */
export type TakeTurn = () => Promise<void>;

/** Creates a queue for turns. A turn of the event loop takes up as much of what waits as begins within its 3 ms, at least one. */
export function createTurnQueue(): TakeTurn {
  const waiting: (() => void)[] = [];
  /** What waits stays in the list while it begins, so that no call begins a second chain. */
  const beginNext = (): void => {
    startOfTurn();
    waiting[0]?.();
    afterMicrotasks(() => {
      waiting.shift();
      if (waiting.length === 0) return;
      if (isTurnOver()) setImmediate(beginNext);
      else beginNext();
    });
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(beginNext);
    });
}

/** Takes a turn in the queue of the process. */
export const takeTurn = createTurnQueue();

/** Returns a function to await before each piece of work that may be late. Such work waits in its own queue, so that nothing waits for it. */
export function createLateTurns(): TakeTurn {
  const queue = createTurnQueue();
  return async () => {
    if (isTurnOver()) await queue();
  };
}

/** Returns a function to await between the pieces of long work. It goes on in a later turn if this one is over. */
export function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  return () => (isTurnOver() ? takeTurn().then(() => signal.throwIfAborted()) : undefined);
}

/**
 * Creates a queue for work of which any amount can be asked for. After each piece it pauses for as long as the piece took: so other work has at
 * least half of the time. The returned function resolves in the order of the calls. @throws the reason of its signal
 */
export function createPacedTurns(): TakePacedTurn {
  let last: Promise<void> = Promise.resolve();
  return async (signal) => {
    const before = last;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    last = promise;
    try {
      await unlessAborted(before, signal);
    } catch (error) {
      void before.then(end);
      throw error;
    }
    beginTurn();
    const beganAt = performance.now();
    afterMicrotasks(() => setTimeout(end, Math.ceil(performance.now() - beganAt)));
  };
}

export type TakePacedTurn = (signal: AbortSignal) => Promise<void>;
