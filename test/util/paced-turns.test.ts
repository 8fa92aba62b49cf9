import { expect, it } from "vitest";
import { createPacedTurns } from "../../src/util/paced-turns.ts";

const signal = new AbortController().signal;

/** Keeps the processor busy, and returns for how long. */
function work(ms: number): number {
  const from = performance.now();
  while (performance.now() - from < ms);
  return performance.now() - from;
}

it("does pieces of work in the order of the calls, each in a turn of its own", async () => {
  const turn = createPacedTurns();
  const done: string[] = [];
  const piece = (name: string) => turn(signal).then(() => void done.push(name));
  const all = Promise.all([piece("a"), piece("b"), piece("c")]);
  let turns = 0;
  for (; done.length < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await all;
  expect(done).toEqual(["a", "b", "c"]);
  expect(turns).toBeGreaterThanOrEqual(3);
});

it.each([0.2, 3, 20])("leaves half of the time to other work, with pieces of %d ms", async (ms) => {
  const turn = createPacedTurns();
  const from = performance.now();
  let worked = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - from < 300) {
      await turn(signal);
      worked += work(ms);
    }
  };
  await Promise.all(Array.from({ length: 10 }, client));
  expect(worked / (performance.now() - from)).toBeLessThan(0.65);
});

it("is left at once by what is aborted, and goes on with the rest", async () => {
  const turn = createPacedTurns();
  const stop = new AbortController();
  const first = turn(signal).then(() => void work(20));
  const stopped = [turn(stop.signal), turn(stop.signal)];
  const last = turn(signal);
  stop.abort(new Error("stopped"));
  for (const one of stopped) await expect(one).rejects.toThrow("stopped");
  await expect(turn(stop.signal)).rejects.toThrow("stopped");
  await Promise.all([first, last]);
  await turn(signal);
});
