import { afterAll, describe, expect, it } from "vitest";
import { createDatabase, cutConnections, startOwnPostgres } from "../helpers/postgres.ts";
import { seeded } from "../helpers/seeded.ts";
import { runThroughFaults } from "./faulty-run.ts";
import { randomRuns } from "./random-kills.ts";

/** A run performs two or three times as many. */
const WITHIN = 150;
const RUNS = randomRuns(2);

function randomStatements(seed: number, count: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => 1 + Math.floor(random() * WITHIN));
}

describe.concurrent("a run on PostgreSQL", () => {
  let faults = 0;

  it.each(RUNS)("goes on when all connections are cut, three times ($name, $seed)", async ({ scenario, seed }) => {
    const database = await createDatabase();
    const cause = () => cutConnections(database);
    faults += await runThroughFaults(scenario, { at: randomStatements(seed, 3), database, cause });
  });

  it.each(RUNS)("goes on when the server is started again, twice ($name, $seed)", async ({ scenario, seed }) => {
    const { url, restart } = await startOwnPostgres();
    faults += await runThroughFaults(scenario, { at: randomStatements(seed, 2), database: url, cause: restart });
  });

  afterAll(() => {
    console.log(`${faults} faults of ${2 * RUNS.length} runs.`);
    expect(faults).toBeGreaterThanOrEqual(2 * RUNS.length);
  });
});
