import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeHome } from "../helpers/open-dossier.ts";
import { createDatabase, expireLeases } from "../helpers/postgres.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import type { PoisonOptions } from "./poison-host.ts";

const HOST = new URL("./poison-host.ts", import.meta.url).pathname;
const PROCESSES = 2;
const NEIGHBORS = 6;
const MAX_CRASHES = 12;

/** Starts a process again whenever it is killed, until all runs have ended. Returns how often that was, and how the runs ended. */
async function surviveCrashes(database: string) {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const options: Omit<PoisonOptions, "crashes"> = { home, database, poison: "signal", looks: 0, neighbors: NEIGHBORS };
  for (let crashes = 0; crashes <= MAX_CRASHES; crashes += 1) {
    const child = spawn(process.execPath, [HOST, JSON.stringify({ ...options, crashes })], {
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
    await expireLeases(database, child.pid);
  }
  throw new Error(`The process was killed more than ${MAX_CRASHES} times.`);
}

it("a run that kills each process of several ends as crashed, and its neighbors do not", async () => {
  const database = await createDatabase();
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => surviveCrashes(database)));
  for (const { outcomes } of processes) {
    expect(outcomes).toHaveLength(NEIGHBORS + 1);
    const failed = outcomes.filter(({ status }: { status: string }) => status !== "succeeded");
    expect(failed).toMatchObject([{ question: "poison", status: "failed", error: { code: "crashed" } }]);
  }
  console.log(`${processes.map(({ crashes }) => crashes).join(" and ")} crashes of ${PROCESSES} processes.`);
});
