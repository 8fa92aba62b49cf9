import { afterAll, describe, expect, it } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { killAtRandom, randomRuns } from "./random-kills.ts";

const KILLS = 200;
const KILLS_OF_A_RUN = 6;
const RUNS = randomRuns(6);

describe.each(["SQLite", "PostgreSQL"])("on %s", (name) => {
  let kills = 0;

  describe.concurrent("kills at random statements", () => {
    it.each(RUNS)("do not end run $seed ($name), leave no gap, and repeat no recorded call", async (run) => {
      const database = name === "SQLite" ? undefined : await createDatabase();
      kills += (await killAtRandom(run, KILLS_OF_A_RUN, database)).deaths;
    });
  });

  afterAll(() => {
    console.log(`${kills} kills of ${RUNS.length} runs on ${name}.`);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });
});
