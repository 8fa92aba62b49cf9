import { expect } from "vitest";

const TIMES = 8;
/** Too little to tell anything from. */
const NOISE_MS = 20;

/**
 * Expects `work` to take linear time: one input of 8 * `size` costs about as much CPU time of this thread as 8 inputs of `size`, where
 * quadratic work costs 8 times as much. Independent of how fast or busy the machine is.
 */
export function expectLinear(work: (size: number) => void, size = 4_000): void {
  let ratio = Number.POSITIVE_INFINITY;
  // Compilation and garbage collection can fall into one of the two measurements.
  for (let attempt = 0; attempt < 4 && ratio >= 3; attempt++) {
    const parts = cpuMs(() => {
      for (let i = 0; i < TIMES; i++) work(size);
    });
    const whole = cpuMs(() => work(TIMES * size));
    ratio = whole < NOISE_MS ? 1 : whole / parts;
  }
  expect(ratio).toBeLessThan(3);
}

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
