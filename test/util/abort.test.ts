import { getEventListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { limitTime, startTimeLimit } from "../../src/util/abort.ts";

const LONG_MS = 60_000;

it("aborts when the time is over, with the given reason", async () => {
  using limit = limitTime(1, new AbortController().signal, () => new Error("too late"));
  await expect.poll(() => limit.signal.aborted).toBe(true);
  expect(limit).toMatchObject({ isOver: true, signal: { reason: new Error("too late") } });
});

it("aborts with the reason of the work around it, which is no end of the time", () => {
  const outer = new AbortController();
  using limit = limitTime(LONG_MS, outer.signal);
  outer.abort(new Error("cancelled"));
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: true, reason: new Error("cancelled") } });
});

it("keeps the first reason when the time passes after an abort", async () => {
  const outer = new AbortController();
  using limit = limitTime(5, outer.signal);
  outer.abort(new Error("cancelled"));
  await pause(20);
  expect(limit).toMatchObject({ isOver: false, signal: { reason: new Error("cancelled") } });
});

it("is aborted at once within work that was already aborted", () => {
  using limit = limitTime(LONG_MS, AbortSignal.abort(new Error("cancelled")));
  expect(limit.signal.aborted).toBe(true);
});

it("leaves no listener and no timer behind", () => {
  const { signal } = new AbortController();
  const before = process.getActiveResourcesInfo().length;
  for (let i = 0; i < 100; i += 1) {
    using limit = limitTime(LONG_MS, signal);
    expect(limit.signal.aborted).toBe(false);
  }
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
});

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
