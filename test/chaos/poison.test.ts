import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import type { PoisonOptions } from "./poison-host.ts";

const HOST = new URL("./poison-host.ts", import.meta.url).pathname;
const MAX_CRASHES = 10;
/** Two crashes in normal operation, and three on trial. */
const FEWEST_CRASHES = 5;

/** Starts the process again until it ends by itself. Returns how often it was killed, how the runs ended, and the last log. */
async function surviveCrashes(options: Omit<PoisonOptions, "home">) {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  for (let crashes = 0; crashes <= MAX_CRASHES; crashes += 1) {
    const child = spawn(process.execPath, ["--max-old-space-size=256", HOST, JSON.stringify({ home, ...options })], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
      // As a supervisor does when the service no longer answers.
      if (errors.includes("looping")) child.kill("SIGKILL");
    });
    const [code, signal] = await once(child, "close");
    if (code === 0) return { crashes, errors, outcomes: JSON.parse(await readFile(join(home, "outcomes.json"), "utf8")) };
    expect(["SIGKILL", "SIGABRT"], errors).toContain(signal);
  }
  throw new Error(`The process was killed more than ${MAX_CRASHES} times.`);
}

it.each([
  { name: "at once and alone", options: { poison: "signal", declared: false, looks: 0, neighbors: 0 } },
  { name: "at once", options: { poison: "signal", declared: false, looks: 0, neighbors: 5 } },
  {
    name: "later than the first trial allows",
    options: { poison: "signal", declared: false, looks: 30, neighbors: 59 },
  },
] as const)("a run that kills the process $name fails, and its neighbors with a slow model do not", async ({ options }) => {
  expect(await crashesUntilConviction(options)).toBeGreaterThanOrEqual(FEWEST_CRASHES);
});

it.each(["signal", "thread", "memory", "loop"] as const)(
  "a run that ends the process by its work (%s) after a wait fails on trial, however many neighbors wait",
  async (poison) => {
    // On a busy machine a neighbor may still be at work at the first trial, which then does not count.
    expect(await crashesUntilConviction({ poison, declared: true, looks: 3, neighbors: 30 })).toBeGreaterThanOrEqual(FEWEST_CRASHES);
  },
);

async function crashesUntilConviction(options: Omit<PoisonOptions, "home">): Promise<number> {
  const { crashes, errors, outcomes } = await surviveCrashes(options);
  const failed = outcomes.filter(({ status }: { status: string }) => status !== "succeeded");
  expect(outcomes).toHaveLength(options.neighbors + 1);
  expect(failed).toMatchObject([
    { question: "poison", status: "failed", error: { message: expect.stringContaining("The process ended") } },
  ]);
  expect(errors).toContain("start one after another");
  const { poison, looks, neighbors } = options;
  console.log(`A run that ends the process (${poison}) after ${looks} looks, among ${neighbors} others: ${crashes} crashes.`);
  return crashes;
}
