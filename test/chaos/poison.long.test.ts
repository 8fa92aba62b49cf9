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
/** Starts the process again until it ends by itself. Returns how often it was killed, how the runs ended, and the last log. */
async function surviveCrashes(options: Omit<PoisonOptions, "home" | "crashes">) {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  for (let crashes = 0; crashes <= MAX_CRASHES; crashes += 1) {
    const child = spawn(process.execPath, ["--max-old-space-size=256", HOST, JSON.stringify({ home, crashes, ...options })], {
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
  { name: "at once and alone", crashes: 3, options: { poison: "signal", looks: 0, neighbors: 0 } },
  // Two with all in flight, and three alone, because what was started last starts first.
  { name: "at once", crashes: 5, options: { poison: "signal", looks: 0, neighbors: 5 } },
] as const)(
  "a run that kills the process $name ends as crashed, and its neighbors with a slow model do not",
  async ({ options, crashes }) => {
    expect(await crashesUntilEnded(options)).toBe(crashes);
  },
);

it.each(["signal", "thread", "memory", "loop"] as const)(
  "a run that ends the process by its work (%s) after a wait ends as crashed, however many neighbors wait",
  async (poison) => {
    // At the third crash all neighbors are in flight again, because the oldest run starts last.
    expect(await crashesUntilEnded({ poison, looks: 3, neighbors: 30 })).toBe(6);
  },
);

async function crashesUntilEnded(options: Omit<PoisonOptions, "home" | "crashes">): Promise<number> {
  const { crashes, errors, outcomes } = await surviveCrashes(options);
  const failed = outcomes.filter(({ status }: { status: string }) => status !== "succeeded");
  expect(outcomes).toHaveLength(options.neighbors + 1);
  expect(failed).toMatchObject([{ question: "poison", status: "failed", error: { code: "crashed" } }]);
  expect(errors).toContain("start one at a time");
  const { poison, looks, neighbors } = options;
  console.log(`A run that ends the process (${poison}) after ${looks} looks, among ${neighbors} others: ${crashes} crashes.`);
  return crashes;
}
