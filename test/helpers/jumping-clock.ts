const START = Date.parse("2026-11-20T12:00:00Z");

/** A clock that stands still until a test jumps, so that a busy machine uses up none of a run's time. */
export function jumpingClock(start = START): { readonly now: () => number; jump(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    jump: (ms) => {
      now += ms;
    },
  };
}
