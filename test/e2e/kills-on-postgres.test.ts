import { expect, it } from "vitest";
import { killAtRandom, randomRuns } from "../chaos/random-kills.ts";
import { createDatabase } from "../helpers/postgres.ts";

const KILLS_OF_A_RUN = 2;
const RUNS = randomRuns(1).filter(({ name }) => name === "tools");

// `npm run test:long` and `npm run chaos` kill more, at all graphs.
it.each(RUNS)(
  "kills at random statements do not end run $seed ($name) on PostgreSQL, leave no gap, and repeat no recorded call",
  async (run) => {
    expect((await killAtRandom(run, KILLS_OF_A_RUN, await createDatabase())).deaths).toBeGreaterThan(0);
  },
);
