/** The clock of the machine, which jumps forward where a test says that time has passed. */
export function jumpingClock(): { readonly now: () => number; jump(ms: number): void } {
  let passedMs = 0;
  return {
    now: () => Date.now() + passedMs,
    jump: (ms) => {
      passedMs += ms;
    },
  };
}
