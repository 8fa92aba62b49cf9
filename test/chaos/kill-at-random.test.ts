import { afterAll, describe, expect, it } from "vitest";
import { killAtRandom, randomRuns } from "./random-kills.ts";

const KILLS = 200;
const KILLS_OF_A_RUN = 9;
const RUNS = randomRuns(8);

let kills = 0;

describe.concurrent("kills at random statements", () => {
  it.each(RUNS)("do not end run $seed ($name), leave no gap, and repeat no recorded call", async (run) => {
    kills += (await killAtRandom(run, KILLS_OF_A_RUN, undefined)).deaths;
  });
});

afterAll(() => {
  console.log(`${kills} kills of ${RUNS.length} runs.`);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});
