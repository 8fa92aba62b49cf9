import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeHome } from "../helpers/open-dossier.ts";
import { seeded } from "../helpers/seeded.ts";
import { dying } from "./die-at.ts";
import { runHost } from "./run-host.ts";

const HOST = new URL("./kill-often-host.ts", import.meta.url).pathname;
const KILLS = 10;
const RUNS = 16;
/** Within so many statements of its databases a process is killed: while it opens them, recovers the runs, or has executed some. */
const MAX_STATEMENTS = 2_000;
const MAX_TURNS = 12;

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(`fails none of ${RUNS} keyless runs whose process is killed ${KILLS} times (%i)`, async (seed) => {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const random = seeded(seed);
  const upTo = (max: number): number => Math.floor(random() * max);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Three deaths in a row of a run alone, without a result between, would end it as the one that kills its processes.
    const death = { nth: 1 + upTo(MAX_STATEMENTS), turns: upTo(MAX_TURNS), afterResult: kill % 2 === 1 };
    const { signal, errors } = await runHost(HOST, { home, runs: RUNS, isLast: false }, [dying(death)]);
    expect(signal, errors).toBe("SIGKILL");
  }
  const { code, errors } = await runHost(HOST, { home, runs: RUNS, isLast: true });
  expect(code, errors).toBe(0);
  const outcomes: { status: string }[] = JSON.parse(await readFile(join(home, "outcomes.json"), "utf8"));
  expect(outcomes.length).toBeGreaterThanOrEqual(RUNS);
  expect(outcomes.filter(({ status }) => status !== "succeeded")).toEqual([]);
});
