import { expect, it } from "vitest";
import type { Limits } from "../../../src/domain/request.ts";
import { NOTHING_SPENT } from "../../../src/domain/spent.ts";
import { SharePool } from "../../../src/graphs/research/share-pool.ts";

const LIMITS: Limits = { optionalToolLoops: 3, steps: 50, modelCalls: 40, tokens: 10_000, costUsd: 1, seconds: 600, downloads: 12 };

it("divides what is left among those that have not begun, and gives on what one leaves over", () => {
  const pool = new SharePool(LIMITS, { ...NOTHING_SPENT, modelCalls: 1, inputTokens: 500, outputTokens: 500 }, 0);
  const first = pool.take(3);
  expect(first).toEqual({ modelCalls: 11, tokens: 2_000, costUsd: 0.7 / 3, downloads: 4 });
  expect(pool.take(2)).toMatchObject({ modelCalls: 11, tokens: 2_000, downloads: 4 });
  pool.giveBack(first, { ...NOTHING_SPENT, modelCalls: 2, inputTokens: 400, costUsd: 0.1 }, 1);
  expect(pool.take(1)).toMatchObject({ modelCalls: 20, tokens: 3_600, downloads: 7 });
  expect(pool.take(1)).toMatchObject({ modelCalls: 0, tokens: 0, downloads: 0 });
});

it("never owes, keeps three calls for judging and summing up, and gives single downloads to the first", () => {
  const pool = new SharePool(
    { ...LIMITS, modelCalls: 5, costUsd: null, downloads: 2 },
    { ...NOTHING_SPENT, modelCalls: 9, inputTokens: 90_000 },
    0,
  );
  expect([3, 2, 1].map((among) => pool.take(among))).toEqual([
    { modelCalls: 0, tokens: 0, costUsd: null, downloads: 1 },
    { modelCalls: 0, tokens: 0, costUsd: null, downloads: 1 },
    { modelCalls: 0, tokens: 0, costUsd: null, downloads: 0 },
  ]);
  expect(new SharePool({ ...LIMITS, modelCalls: 5 }, NOTHING_SPENT, 0).take(1).modelCalls).toBe(2);
});

it("keeps for a todo that goes on after a wait what it has not spent of its share, even where less is left", () => {
  const given = { modelCalls: 9, tokens: 2_000, costUsd: 0.2, downloads: 4 };
  const spent = { ...NOTHING_SPENT, modelCalls: 4, inputTokens: 600, outputTokens: 400, costUsd: 0.1 };
  const pool = new SharePool(LIMITS, spent, 0);
  pool.resume(given, spent);
  expect(pool.take(1)).toMatchObject({ modelCalls: 25, tokens: 5_000, downloads: 8 });
  pool.resume(given, spent);
  expect(pool.take(2)).toEqual({ modelCalls: 0, tokens: 0, costUsd: 0, downloads: 0 });
  pool.giveBack(given, { ...spent, modelCalls: 9 }, 0);
  expect(pool.take(1)).toMatchObject({ modelCalls: 0, tokens: 0, downloads: 0 });
});

it("lends call by call what is not kept for those that have not begun, with its part of tokens and money", () => {
  const pool = new SharePool({ ...LIMITS, modelCalls: 20 }, NOTHING_SPENT, 0);
  expect(pool.take(2)).toMatchObject({ modelCalls: 7, tokens: 3_500, downloads: 6 });
  const lent = [1, 1, 1, 1, 1].map(() => pool.lend(1));
  expect(lent.map((one) => one?.modelCalls)).toEqual([1, 1, 1, 1, undefined]);
  expect(lent[0]).toEqual({ modelCalls: 1, tokens: 500, costUsd: 0.35 / 7, downloads: 0 });
  expect(pool.take(1)).toMatchObject({ modelCalls: 3, tokens: 1_500 });
  expect(pool.lend(0)).toBeNull();
});

it("takes back what was lent and not spent", () => {
  const pool = new SharePool({ ...LIMITS, modelCalls: 12, costUsd: null }, NOTHING_SPENT, 0);
  const taken = pool.take(4);
  expect(taken).toMatchObject({ modelCalls: 2, costUsd: null });
  pool.lend(0);
  pool.lend(0);
  // Three of the four calls that it has: one less than its own two, beside what was lent.
  pool.giveBack(taken, { ...NOTHING_SPENT, modelCalls: 3 - 2 }, 0);
  expect(pool.take(1).modelCalls).toBe(8 - 3);
});
