import { afterAll, describe, expect, it } from "vitest";
import { killAtRandom, randomRuns } from "./random-kills.ts";

// `npm run chaos` kills hundreds.
const RUNS = randomRuns(1);
const KILLS_OF_A_RUN = 4;
/** A process may end before the statement at which it was to be killed. */
const KILLS = RUNS.length;

let kills = 0;

describe.concurrent("kills at random statements", () => {
  it.each(RUNS)("do not end run $seed ($name), leave no gap, and repeat no recorded call", async (run) => {
    kills += (await killAtRandom(run, KILLS_OF_A_RUN)).deaths;
  });
});

afterAll(() => {
  console.log(`${kills} kills of ${RUNS.length} runs.`);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});
