import { describe, expect, it } from "vitest";
import { runThroughFaults } from "../chaos/faulty-run.ts";
import { killAtRandom, randomRuns } from "../chaos/random-kills.ts";
import { createDatabase, cutConnections, startOwnPostgres } from "../helpers/postgres.ts";

const KILLS_OF_A_RUN = 2;
/** Each run starts several processes, one after the other. */
const TIMEOUT_MS = 300_000;
const RUNS = randomRuns(1);
const named = (...names: string[]) => RUNS.filter(({ name }) => names.includes(name));

describe("with PostgreSQL", { timeout: TIMEOUT_MS }, () => {
  it.each(named("research"))(
    "kills at random statements do not end run $seed ($name), leave no gap, and repeat no recorded call",
    async (run) => {
      expect((await killAtRandom(run, KILLS_OF_A_RUN, await createDatabase())).deaths).toBeGreaterThan(0);
    },
  );

  it.each(named("team"))("a run ($name) goes on when all connections are cut", async ({ scenario }) => {
    const database = await createDatabase();
    expect(await runThroughFaults(scenario, { at: [31, 92], database, cause: () => cutConnections(database) })).toBe(2);
  });

  it.each(named("agent"))("a run ($name) goes on when the server is started again", async ({ scenario }) => {
    const { url, restart } = await startOwnPostgres();
    expect(await runThroughFaults(scenario, { at: [73], database: url, cause: restart })).toBe(1);
  });
});
