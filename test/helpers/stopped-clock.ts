import { onTestFinished, vi } from "vitest";

/** Stops `performance.now()` until the test has finished. It goes on by as much as `pass` says, as if work had taken so long. */
export function stopClock(): { pass(ms: number): void } {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms) };
}
