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
