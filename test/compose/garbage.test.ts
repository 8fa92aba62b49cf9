import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limitGarbage } from "../../src/compose/garbage.ts";

const REST_MS = 100;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A turn of the event loop keeps what it has made. */
async function pass(ms: number): Promise<void> {
  await nextTurn();
  vi.advanceTimersByTime(ms);
  await nextTurn();
}

/** Makes garbage, and returns whether it is still in memory. */
function makeGarbage(): () => boolean {
  const object = new WeakRef({});
  return () => object.deref() !== undefined;
}

it("collects garbage when no work was reported for some time, and again after further work", async () => {
  const garbage = limitGarbage(() => false, REST_MS);
  const first = makeGarbage();
  await pass(REST_MS);
  expect(first()).toBe(false);
  const second = makeGarbage();
  await pass(2 * REST_MS);
  expect(second()).toBe(true);
  garbage.worked();
  await pass(REST_MS);
  expect(second()).toBe(false);
  garbage.close();
});

it("leaves the garbage while something is in progress", async () => {
  const garbage = limitGarbage(() => true, REST_MS);
  const isThere = makeGarbage();
  await pass(2 * REST_MS);
  expect(isThere()).toBe(true);
  garbage.close();
});

it("keeps the space for new objects below 34 MB, however much of them is kept", async () => {
  const garbage = limitGarbage(() => true, REST_MS);
  const sizes: number[] = [];
  let kept: string[][] = [];
  for (let i = 0; i < 300; i += 1) {
    kept = [...kept.slice(-100), Array.from({ length: 5_000 }, (_, at) => `${i} ${at}`)];
    await nextTurn();
    sizes.push(getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0);
  }
  expect(Math.max(...sizes)).toBeLessThan(34_000_000);
  expect(Math.max(...sizes)).toBeGreaterThan(8_000_000);
  garbage.close();
});
