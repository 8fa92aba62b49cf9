import { expect, it } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { killAtInstants, randomRuns } from "./random-kills.ts";

const KILLS = 50;
const KILLS_OF_A_RUN = 4;
/** On a fast machine, most processes end before their instants. */
const MOST_OF_EACH = 40;

it.each(["SQLite", "PostgreSQL"])(
  `${KILLS} kills by the clock, half of them after a freeze, with %s, repeat and lose nothing`,
  async (name) => {
    let kills = 0;
    let runs = 0;
    for (const run of randomRuns(MOST_OF_EACH)) {
      if (kills >= KILLS) break;
      const { deaths } = await killAtInstants(run, KILLS_OF_A_RUN, name === "SQLite" ? undefined : await createDatabase());
      kills += deaths;
      runs += 1;
    }
    console.log(`${kills} kills of ${runs} runs with ${name}.`);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
);
