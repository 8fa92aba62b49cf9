import { afterAll, describe, expect, it } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { killAtRandom, randomRuns } from "./random-kills.ts";

const KILLS = 200;
const KILLS_OF_A_RUN = 9;

let kills = 0;

describe.concurrent("kills at random statements, with PostgreSQL,", () => {
  it.each(randomRuns(6))("do not end run $seed ($name), leave no gap, and repeat no recorded call", async (run) => {
    kills += (await killAtRandom(run, KILLS_OF_A_RUN, await createDatabase())).deaths;
  });
});

afterAll(() => {
  console.log(`${kills} kills.`);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});
