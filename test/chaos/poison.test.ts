import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import type { PoisonOptions } from "./poison-host.ts";

const HOST = new URL("./poison-host.ts", import.meta.url).pathname;
const MAX_CRASHES = 8;

/** Starts the process again until it ends by itself. Returns how often it was killed and how the runs ended. */
async function surviveCrashes(options: Omit<PoisonOptions, "home">) {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  for (let crashes = 0; crashes <= MAX_CRASHES; crashes += 1) {
    const child = spawn(process.execPath, [HOST, JSON.stringify({ home, ...options })], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const [code, signal] = await once(child, "close");
    if (code === 0) return { crashes, outcomes: JSON.parse(await readFile(join(home, "outcomes.json"), "utf8")) };
    expect(signal, errors).toBe("SIGKILL");
  }
  throw new Error(`The process was killed more than ${MAX_CRASHES} times.`);
}

it.each([
  { name: "at once", options: { killAfterMs: 0, neighbors: 5, answerMs: 1_500 } },
  { name: "later than the first trial allows", options: { killAfterMs: 1_500, neighbors: 59, answerMs: 4_000 } },
])("a run that kills the process $name fails, and its neighbors with a slow model do not", async ({ options }) => {
  const { crashes, outcomes } = await surviveCrashes(options);
  const failed = outcomes.filter(({ status }: { status: string }) => status !== "succeeded");
  expect(outcomes).toHaveLength(options.neighbors + 1);
  expect(failed).toMatchObject([
    { question: "poison", status: "failed", error: { message: expect.stringContaining("The process ended") } },
  ]);
  console.log(`A run that kills the process after ${options.killAfterMs} ms, among ${options.neighbors} others: ${crashes} crashes.`);
  expect(crashes).toBeGreaterThanOrEqual(3);
});
