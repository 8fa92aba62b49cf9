import { describe, expect, it } from "vitest";
import { killAtRandom, randomRuns } from "../chaos/random-kills.ts";
import { createDatabase } from "../helpers/postgres.ts";

const KILLS_OF_A_RUN = 2;
const RUNS = randomRuns(1).filter(({ name }) => ["tools", "executor", "research", "team", "mutation"].includes(name));

describe.concurrent("kills at random statements, with PostgreSQL", () => {
  it.each(RUNS)("do not end run $seed ($name), leave no gap, and repeat no recorded call", async (run) => {
    expect((await killAtRandom(run, KILLS_OF_A_RUN, await createDatabase())).deaths).toBeGreaterThan(0);
  });
});
