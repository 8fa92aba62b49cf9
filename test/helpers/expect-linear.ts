import { expect } from "vitest";

const TIMES = 8;
/** Shorter measurements are too noisy to compare. */
const NOISE_MS = 20;
/** Inputs grow until their work can be measured; work that is still too short at this size is fast enough. */
const GROWTHS = [1, 4, 16];

/**
 * Expects `work` to take linear time: one input of 8 * `size` costs about as much CPU time of this thread as 8 inputs of `size`, where
 * quadratic work costs 8 times as much. The speed and load of the machine do not matter.
 */
export function expectLinear(work: (size: number) => void, size = 4_000): void {
  const measurable = GROWTHS.map((growth) => growth * size).find((one) => cpuMs(() => work(TIMES * one)) >= NOISE_MS);
  if (measurable === undefined) return;
  let ratio = Number.POSITIVE_INFINITY;
  // Compilation or garbage collection may disturb one of the two measurements.
  for (let attempt = 0; attempt < 4 && ratio >= 3; attempt++) {
    const parts = cpuMs(() => {
      for (let i = 0; i < TIMES; i++) work(measurable);
    });
    ratio = cpuMs(() => work(TIMES * measurable)) / parts;
  }
  expect(ratio).toBeLessThan(3);
}

/** Returns the milliseconds of CPU time that this thread spends on `work`: the same on a busy machine. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
