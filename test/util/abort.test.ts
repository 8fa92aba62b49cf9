import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TryClock } from "../../src/models/backoff.ts";
import { limitTime, startTimeLimit } from "../../src/util/abort.ts";

const LONG_MS = 60_000;

/** What the clock shows. Timers that are fired later than it says were late. */
let now = 0;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => void vi.useRealTimers());

/** The process works for so long, and its timers fire when they are due. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 100) {
    now += Math.min(left, 100);
    vi.advanceTimersByTime(Math.min(left, 100));
  }
}

/** The clock goes on, and no timer fires. */
function standStill(ms: number): void {
  now += ms;
}

it("aborts when the time is over, with the given reason", () => {
  using limit = limitTime(20, new AbortController().signal, () => new Error("too late"));
  pass(19);
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
  pass(1);
  expect(limit).toMatchObject({ isOver: true, signal: { reason: new Error("too late") } });
});

it("aborts with the reason of the work around it, which is no end of the time", () => {
  const outer = new AbortController();
  using limit = limitTime(LONG_MS, outer.signal);
  outer.abort(new Error("cancelled"));
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: true, reason: new Error("cancelled") } });
});

it("keeps the first reason when the time passes after an abort", () => {
  const outer = new AbortController();
  using limit = limitTime(5, outer.signal);
  outer.abort(new Error("cancelled"));
  pass(20);
  expect(limit).toMatchObject({ isOver: false, signal: { reason: new Error("cancelled") } });
});

it("is aborted at once within work that was already aborted", () => {
  using limit = limitTime(LONG_MS, AbortSignal.abort(new Error("cancelled")));
  expect(limit.signal.aborted).toBe(true);
});

it("leaves no listener and no timer behind", () => {
  const { signal } = new AbortController();
  for (let i = 0; i < 100; i += 1) {
    using limit = limitTime(LONG_MS, signal);
    expect(limit.signal.aborted).toBe(false);
  }
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it("ends when the time is over", () => {
  const end = vi.fn();
  startTimeLimit(5, end);
  pass(5);
  expect(end).toHaveBeenCalledTimes(1);
});

it("ends later where the process stood still, so that what arrived meanwhile is read", () => {
  const end = vi.fn();
  startTimeLimit(20, end);
  standStill(600);
  pass(20);
  pass(599);
  expect(end).not.toHaveBeenCalled();
  pass(1);
  expect(end).toHaveBeenCalledTimes(1);
});

it("waits no more than five seconds once more, however long the process stood still", () => {
  const end = vi.fn();
  startTimeLimit(20, end);
  standStill(3_600_000);
  pass(20);
  pass(5_000);
  expect(end).toHaveBeenCalledTimes(1);
});

it("does not end after it is stopped, also while it waits once more", () => {
  const end = vi.fn();
  const stop = startTimeLimit(20, end);
  standStill(400);
  pass(20);
  stop();
  pass(LONG_MS);
  expect(end).not.toHaveBeenCalled();
});

it("does not count that time, wherever in the limit it falls", () => {
  let ended = 0;
  startTimeLimit(10_000, () => ended++);
  pass(4_000);
  standStill(600_000);
  pass(5_900);
  expect(ended).toBe(0);
  pass(5_000);
  expect(ended).toBe(1);
});

it("waits on as often as the process stands still when the time is over", () => {
  let ended = 0;
  startTimeLimit(1_000, () => ended++);
  for (let times = 0; times < 10; times += 1) {
    standStill(60_000);
    pass(1_000);
    expect(ended).toBe(0);
  }
  pass(5_000);
  expect(ended).toBe(1);
});

it("counts small delays, so that a busy process ends in time", () => {
  let ended = 0;
  startTimeLimit(10_000, () => ended++);
  for (let second = 0; second < 8; second += 1) {
    standStill(200);
    pass(1_000);
  }
  pass(800);
  expect(ended).toBe(1);
});

it("is no failure of the model, whose answer is read first", () => {
  const limits = { firstTokenMs: 2_000, betweenTokensMs: 1_000, callMs: 30_000, runMs: Number.POSITIVE_INFINITY };
  const tried = new TryClock(limits);
  tried.connected();
  tried.requestSent();
  pass(1_500);
  standStill(120_000);
  pass(1_000);
  tried.pieceReceived();
  standStill(120_000);
  pass(1_000);
  expect(tried.signal.aborted).toBe(false);
  tried.pieceReceived();
  pass(1_100);
  expect(tried.signal.reason).toMatchObject({ code: "timeout", message: expect.stringContaining("the next token") });
  tried.stop();
});
