import { expect, it } from "vitest";
import { seeded } from "../helpers/seeded.ts";
import { type Death, runThrough, type Scenario } from "./crashing-run.ts";
import { AGENT_SCENARIO, EXECUTOR_SCENARIO, TEAM_SCENARIO } from "./graph-scenarios.ts";
import { MODEL_SCENARIO } from "./model-scenario.ts";
import { MARKING_SCENARIO, WEB_SCENARIO } from "./random-scenarios.ts";
import { RESEARCH_SCENARIO } from "./research-scenario.ts";
import { TOOL_SCENARIO } from "./tool-scenario.ts";

const KILLS = 200;
const KILLS_OF_A_RUN = 6;
/** On two processors alone it takes less than 4 minutes. */
const LIMIT_MS = 1_800_000;
/** Processes at the same time. */
const LANES = 3;
/** An answer whose last byte was sent longer ago than this before a kill is not asked for again. */
const MAX_AGE_MS = 250;

/** Runs whose path does not depend on their number of calls, and the time within which their processes are killed. */
const SCENARIOS: readonly (readonly [Scenario, number])[] = [
  [TOOL_SCENARIO, 180],
  [MODEL_SCENARIO, 500],
  [EXECUTOR_SCENARIO, 600],
  [AGENT_SCENARIO, 600],
  [RESEARCH_SCENARIO, 400],
  [TEAM_SCENARIO, 800],
  [MARKING_SCENARIO, 250],
  [WEB_SCENARIO, 600],
];

/** Kills the processes of one run. Returns how often, and describes the calls that were made again after their answer. */
async function killRun(seed: number): Promise<{ kills: number; repeated: { call: string; ageMs: number }[] }> {
  const [scenario, withinMs] = SCENARIOS[seed % SCENARIOS.length] ?? [TOOL_SCENARIO, 180];
  const random = seeded(seed);
  const deaths = Array.from({ length: KILLS_OF_A_RUN }, (): Death => ({ afterMs: random() * withinMs }));
  try {
    const { deaths: kills, calls, repeated } = await runThrough(scenario, deaths);
    const marks = calls.filter((call) => call.startsWith("/mark"));
    expect(new Set(marks).size, "changes made twice").toBe(marks.length);
    return { kills, repeated: repeated.map(({ call, ageMs }) => ({ call: `${scenario.name} ${seed}: ${call}`, ageMs })) };
  } catch (cause) {
    throw new Error(`The run ${seed} (${scenario.name}) did not survive its kills.`, { cause });
  }
}

it(
  `${KILLS} kills at random instants end no run, leave no gap, and repeat no recorded call`,
  async () => {
    const repeated: { call: string; ageMs: number }[] = [];
    let kills = 0;
    let runs = 0;
    const lane = async (): Promise<void> => {
      while (kills < KILLS) {
        runs += 1;
        const killed = await killRun(runs);
        kills += killed.kills;
        repeated.push(...killed.repeated);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    console.log(`${kills} kills of ${runs} runs. Calls made again whose whole answer had been sent before the kill:`);
    for (const { call, ageMs } of repeated) console.log(`  ${ageMs} ms before: ${call.slice(0, 100).replaceAll("\n", " ")}`);
    expect(repeated.filter(({ ageMs }) => ageMs > MAX_AGE_MS)).toEqual([]);
  },
  LIMIT_MS,
);
