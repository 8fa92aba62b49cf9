import { expect } from "vitest";
import { seeded } from "../helpers/seeded.ts";
import { type CrashedRun, type Death, runThrough, type Scenario } from "./crashing-run.ts";
import { AGENT_SCENARIO, EXECUTOR_SCENARIO, TEAM_SCENARIO } from "./graph-scenarios.ts";
import { MODEL_SCENARIO } from "./model-scenario.ts";
import { MARKING_SCENARIO, WEB_SCENARIO } from "./random-scenarios.ts";
import { RESEARCH_SCENARIO } from "./research-scenario.ts";
import { TOOL_SCENARIO } from "./tool-scenario.ts";

const MAX_TURNS = 12;
/** About as long as the work of a process takes. */
const MAX_MS = 800;
/** Calls that a run makes at the same time: answers that a killed process did not record may be asked for again. */
export const SIDE_BY_SIDE = 4;

/** Runs whose path does not depend on their number of calls, and the number of statements within which each of their processes is killed. */
const SCENARIOS: readonly (readonly [Scenario, number])[] = [
  [TOOL_SCENARIO, 100],
  [MODEL_SCENARIO, 130],
  [EXECUTOR_SCENARIO, 130],
  [AGENT_SCENARIO, 130],
  [RESEARCH_SCENARIO, 150],
  [TEAM_SCENARIO, 160],
  [MARKING_SCENARIO, 100],
  [WEB_SCENARIO, 95],
];

export interface RandomRun {
  readonly name: string;
  readonly scenario: Scenario;
  readonly within: number;
  readonly seed: number;
}

/** Each of the scenarios so many times, with different seeds. */
export function randomRuns(ofEach: number): RandomRun[] {
  return SCENARIOS.flatMap(([scenario, within], index) =>
    Array.from({ length: ofEach }, (_, nth) => ({
      ...{ name: scenario.name, scenario, within },
      seed: (nth + 1) * SCENARIOS.length + index,
    })),
  );
}

/** Kills each process of the run at a random statement, `kills` times at most, and checks what a kill must not change. */
export async function killAtRandom({ scenario, within, seed }: RandomRun, kills: number, database?: string): Promise<CrashedRun> {
  const random = seeded(seed);
  const upTo = (max: number): number => Math.floor(random() * max);
  const deaths = Array.from({ length: kills }, (): Death => ({ nth: 1 + upTo(within), turns: upTo(MAX_TURNS) }));
  return dieAndCheck(scenario, deaths, database);
}

/** Kills each process of the run by the clock, up to `kills` times, after it was frozen for a while, and checks the same. */
export async function killAtInstants({ scenario, seed }: RandomRun, kills: number, database?: string): Promise<CrashedRun> {
  const random = seeded(seed);
  const instant = (): number => Math.floor(random() * MAX_MS);
  const deaths = Array.from({ length: kills }, (): Death => {
    const [stop = 0, wake = 0, kill = 0] = [instant(), instant(), instant()].toSorted((one, other) => one - other);
    const signals = [["SIGSTOP", stop] as const, ["SIGCONT", wake] as const, ["SIGKILL", kill] as const];
    return { signals: random() < 0.5 ? signals : signals.slice(2) };
  });
  return dieAndCheck(scenario, deaths, database);
}

async function dieAndCheck(scenario: Scenario, deaths: readonly Death[], database?: string): Promise<CrashedRun> {
  const crashed = await runThrough(scenario, deaths, database);
  expectNoChangeTwice(crashed.calls);
  for (const again of crashed.repeated) expect(again.length, again.join(", ")).toBeLessThanOrEqual(SIDE_BY_SIDE);
  return crashed;
}

export function expectNoChangeTwice(calls: readonly string[]): void {
  const marks = calls.filter((call) => call.startsWith("/mark"));
  expect(new Set(marks).size, "changes made twice").toBe(marks.length);
}
