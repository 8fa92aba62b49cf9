/** The machine's clock plus an offset, with which a test simulates that time has passed. */
export function jumpingClock(): { readonly now: () => number; jump(ms: number): void } {
  let passedMs = 0;
  return {
    now: () => Date.now() + passedMs,
    jump: (ms) => {
      passedMs += ms;
    },
  };
}
