import { expect, it } from "vitest";
import { readHalf } from "../../scripts/faithful/read-set.ts";
import { judgeSet, missedTargets, scoreOf } from "../../scripts/faithful/score-set.ts";

it.each(["a", "b"])("the sentences of half %s keep the targets", async (half) => {
  expect(missedTargets(scoreOf(judgeSet(await readHalf(half))))).toEqual([]);
});
