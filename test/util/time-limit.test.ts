import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { startTimeLimit } from "../../src/util/time-limit.ts";

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it("ends when the time is over", async () => {
  let ended = 0;
  startTimeLimit(5, () => ended++);
  await expect.poll(() => ended).toBe(1);
});

it("ends later where the process stood still, so that what arrived meanwhile is read", async () => {
  let ended = false;
  startTimeLimit(20, () => {
    ended = true;
  });
  standStill(600);
  await pause(100);
  expect(ended).toBe(false);
  await expect.poll(() => ended, { timeout: 5_000 }).toBe(true);
});

it("does not end after it is stopped, also while it waits once more", async () => {
  let ended = false;
  const stop = startTimeLimit(20, () => {
    ended = true;
  });
  standStill(400);
  await pause(50);
  stop();
  await pause(600);
  expect(ended).toBe(false);
});
