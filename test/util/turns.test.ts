import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterMicrotasks, isTurnOver, takeTurn } from "../../src/util/turns.ts";
import { stopClock } from "../helpers/stopped-clock.ts";

test("a turn is over after 3 ms of work, and the next one begins anew", async () => {
  const clock = stopClock();
  await nextTurn();
  expect(isTurnOver()).toBe(false);
  clock.pass(2.9);
  expect(isTurnOver()).toBe(false);
  clock.pass(0.1);
  expect(isTurnOver()).toBe(true);
  await nextTurn();
  expect(isTurnOver()).toBe(false);
});

test("waiting work goes on in the order of waiting, and never two long pieces in one turn", async () => {
  const clock = stopClock();
  const begun: string[] = [];
  const long = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece += 1) {
      await takeTurn();
      begun.push(`${name}${piece}`);
      clock.pass(3);
    }
  };
  let isDone = false;
  const turns = async (): Promise<void> => {
    for (; !isDone; await nextTurn()) begun.push("|");
  };
  const all = Promise.all([long("a"), long("词"), long("c")]).then(() => {
    isDone = true;
  });
  await Promise.all([all, turns()]);
  expect(begun.filter((one) => one !== "|")).toEqual(["a0", "词0", "c0", "a1", "词1", "c1", "a2", "词2", "c2"]);
  expect(begun.join("")).not.toMatch(/\d[^|]/);
});

test("a callback waits for promises that are settled, and for those that go on because of them", async () => {
  const order: number[] = [];
  afterMicrotasks(() => order.push(4));
  const chain = async (): Promise<void> => {
    for (let step = 1; step <= 3; step += 1) order.push(await Promise.resolve(step));
  };
  void chain();
  await nextTurn();
  expect(order).toEqual([1, 2, 3, 4]);
});
