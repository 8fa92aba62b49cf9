import { expect, it } from "vitest";
import { readHalf } from "../../scripts/faithful/read-set.ts";
import { judgeSet, missedTargets, scoreOf } from "../../scripts/faithful/score-set.ts";

it("the sentences of half a keep the targets", async () => {
  expect(missedTargets(scoreOf(judgeSet(await readHalf("a"))))).toEqual([]);
});

it("the sentences of half b, without which the code was written, are all shown if true, and never supported if false", async () => {
  const score = scoreOf(judgeSet(await readHalf("b")));
  expect(score.true.shown).toBe(score.true.of);
  expect(score.true.rightKind / score.true.of).toBeGreaterThanOrEqual(0.85);
  expect(score.false.quotedOrComputed).toBe(0);
});
