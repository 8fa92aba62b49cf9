import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { isTurnOver } from "../../src/util/turns.ts";

test("a turn is over after 5 ms of work, and the next one begins anew", async () => {
  await nextTurn();
  expect(isTurnOver()).toBe(false);
  for (const end = performance.now() + 6; performance.now() < end; );
  expect(isTurnOver()).toBe(true);
  await nextTurn();
  expect(isTurnOver()).toBe(false);
});
