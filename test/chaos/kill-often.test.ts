import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import { seeded } from "../helpers/seeded.ts";
import type { OftenOptions } from "./kill-often-host.ts";
import { processClock } from "./process-clock.ts";

const HOST = new URL("./kill-often-host.ts", import.meta.url).pathname;
const KILLS = 100;
const RUNS = 16;
/** How long a process lives, not counting waits for a processor. */
const MIN_LIFE_MS = 100;
const MAX_LIFE_MS = 3_000;
const LOOK_MS = 10;
/** On two processors alone it takes 4 minutes. */
const LIMIT_MS = 1_800_000;

function startHost(options: OftenOptions) {
  const child = spawn(process.execPath, [HOST, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return { child, closed: once(child, "close"), errors: () => errors };
}

it(`fails none of ${RUNS} keyless runs whose process is killed ${KILLS} times within seconds of its start`, {
  timeout: LIMIT_MS,
}, async () => {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const random = seeded(16);
  let begun = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, closed, errors } = startHost({ home, runs: RUNS, isLast: false });
    child.stdout.on("data", () => begun++);
    const now = processClock(child.pid ?? 0);
    const end = now() + MIN_LIFE_MS + random() * (MAX_LIFE_MS - MIN_LIFE_MS);
    while (now() < end && child.exitCode === null) await pause(LOOK_MS);
    child.kill("SIGKILL");
    expect((await closed)[1], errors()).toBe("SIGKILL");
  }
  const { closed, errors } = startHost({ home, runs: RUNS, isLast: true });
  expect((await closed)[0], errors()).toBe(0);
  const outcomes: { status: string }[] = JSON.parse(await readFile(join(home, "outcomes.json"), "utf8"));
  console.log(`${KILLS} kills, ${begun} of them of a process that had begun; ${outcomes.length} runs.`);
  expect(outcomes.length).toBeGreaterThanOrEqual(RUNS);
  expect(outcomes.filter(({ status }) => status !== "succeeded")).toEqual([]);
});
