import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPacedTurns } from "../../src/util/turns.ts";

const signal = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "Date"], now: 0 }));
afterEach(() => void vi.useRealTimers());

const work = (ms: number) => vi.advanceTimersByTime(ms);

/** Lets the time of all pauses pass, until `end` is true. */
async function passPauses(end: () => boolean): Promise<void> {
  while (!end()) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersToNextTimer();
  }
}

it("does pieces of work in the order of the calls", async () => {
  const turn = createPacedTurns();
  const done: string[] = [];
  const piece = (name: string) => turn(signal).then(() => void done.push(name));
  void Promise.all([piece("a"), piece("b"), piece("c")]);
  await passPauses(() => done.length === 3);
  expect(done).toEqual(["a", "b", "c"]);
});

it.each([0.2, 3, 20])("leaves half of the time to other work, with pieces of %d ms", async (ms) => {
  const turn = createPacedTurns();
  let pieces = 0;
  const client = async (): Promise<void> => {
    for (let piece = 0; piece < 10; piece += 1) {
      await turn(signal);
      work(ms);
      pieces += 1;
    }
  };
  for (let count = 0; count < 10; count += 1) void client();
  await passPauses(() => pieces === 100);
  // Nothing pauses after the last piece, and no timer waits for less than a millisecond.
  expect(vi.getMockedSystemTime()?.getTime()).toBeGreaterThanOrEqual(2 * 100 * ms - ms - 2);
});

it("is left at once by what is aborted, and goes on with the rest", async () => {
  const turn = createPacedTurns();
  const stop = new AbortController();
  let ended = 0;
  const piece = () =>
    turn(signal)
      .then(() => work(20))
      .then(() => ended++);
  void piece();
  const stopped = [turn(stop.signal), turn(stop.signal)];
  void piece();
  stop.abort(new Error("stopped"));
  for (const one of stopped) await expect(one).rejects.toThrow("stopped");
  await expect(turn(stop.signal)).rejects.toThrow("stopped");
  expect(ended).toBeLessThan(2);
  await passPauses(() => ended === 2);
  void piece();
  await passPauses(() => ended === 3);
});
