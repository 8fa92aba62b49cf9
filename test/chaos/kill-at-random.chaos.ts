import { afterAll, describe, expect, it } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { killAtRandom, randomRuns } from "./random-kills.ts";

const KILLS = 200;
const KILLS_OF_A_RUN = 9;

const DATABASES: readonly (readonly [name: string, open: () => Promise<string | undefined>, runsOfEach: number])[] = [
  ["SQLite", async () => undefined, 8],
  ["PostgreSQL", () => createDatabase(), 6],
];

describe.each(DATABASES)("kills at random statements, with %s,", (database, open, runsOfEach) => {
  let kills = 0;

  it.concurrent.each(randomRuns(runsOfEach))("do not end run $seed ($name), leave no gap, and repeat no recorded call", async (run) => {
    kills += (await killAtRandom(run, KILLS_OF_A_RUN, await open())).deaths;
  });

  afterAll(() => {
    console.log(`${kills} kills with ${database}.`);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });
});
