import { afterAll, describe, expect, it } from "vitest";
import { seeded } from "../helpers/seeded.ts";
import { type Death, runThrough, type Scenario } from "./crashing-run.ts";
import { AGENT_SCENARIO, EXECUTOR_SCENARIO, TEAM_SCENARIO } from "./graph-scenarios.ts";
import { MODEL_SCENARIO } from "./model-scenario.ts";
import { MARKING_SCENARIO, WEB_SCENARIO } from "./random-scenarios.ts";
import { RESEARCH_SCENARIO } from "./research-scenario.ts";
import { TOOL_SCENARIO } from "./tool-scenario.ts";

const KILLS = 200;
const KILLS_OF_A_RUN = 6;
const MAX_TURNS = 12;
/** Calls that a run makes at the same time: answers that a killed process did not record may be asked for again. */
const SIDE_BY_SIDE = 4;

/** Runs whose path does not depend on their number of calls, and the number of statements within which each of their processes is killed. */
const SCENARIOS: readonly (readonly [Scenario, number])[] = [
  [TOOL_SCENARIO, 200],
  [MODEL_SCENARIO, 250],
  [EXECUTOR_SCENARIO, 250],
  [AGENT_SCENARIO, 250],
  [RESEARCH_SCENARIO, 300],
  [TEAM_SCENARIO, 350],
  [MARKING_SCENARIO, 200],
  [WEB_SCENARIO, 180],
];
const RUNS = SCENARIOS.flatMap(([scenario, within], index) =>
  [1, 2, 3, 4, 5, 6].map((nth) => ({ name: scenario.name, scenario, within, seed: nth * SCENARIOS.length + index })),
);

let kills = 0;

describe.concurrent("kills at random statements", () => {
  it.each(RUNS)("do not end run $seed ($name), leave no gap, and repeat no recorded call", async ({ scenario, within, seed }) => {
    const random = seeded(seed);
    const upTo = (max: number): number => Math.floor(random() * max);
    const deaths = Array.from({ length: KILLS_OF_A_RUN }, (): Death => ({ nth: 1 + upTo(within), turns: upTo(MAX_TURNS) }));
    const { deaths: died, calls, repeated } = await runThrough(scenario, deaths);
    kills += died;
    const marks = calls.filter((call) => call.startsWith("/mark"));
    expect(new Set(marks).size, "changes made twice").toBe(marks.length);
    for (const again of repeated) expect(again.length, again.join(", ")).toBeLessThanOrEqual(SIDE_BY_SIDE);
  });
});

afterAll(() => {
  console.log(`${kills} kills of ${RUNS.length} runs.`);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});
