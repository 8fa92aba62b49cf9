import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import type { Recording } from "../../src/domain/recording.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import { checkRecording, HOST, type Scenario } from "./crashing-run.ts";
import { FAULT } from "./fault-at.ts";
import type { HostOptions } from "./host.ts";
import { expectNoChangeTwice, SIDE_BY_SIDE } from "./random-kills.ts";
import { runsInPostgres } from "./stored-runs.ts";

interface Faults {
  /** The statements of the process after which it meets them. */
  readonly at: readonly number[];
  readonly database: string;
  readonly cause: () => Promise<unknown>;
}

/** Drives one run to its end through faults of its database, and checks everything that they must not change. Returns their number. */
export async function runThroughFaults(scenario: Scenario, { at, database, cause }: Faults): Promise<number> {
  const home = await makeHome(CORPUS);
  const server = await scenario.startServer();
  const stored = runsInPostgres(database);
  const seen: { log: Recording["events"]; asked: number; recorded: ReadonlySet<string> }[] = [];
  try {
    const settings = scenario.settings?.(server.url);
    await runHost({ home, serverUrl: server.url, scenario: scenario.name, settings, database, faults: at }, async () => {
      const recorded = new Set((await stored.requests(scenario.kind)).map((request) => scenario.callOf(request as never)));
      seen.push({ log: await stored.log(), asked: server.calls.length, recorded });
      await cause();
    });
    const { calls } = server;
    for (const { asked, recorded } of seen) expect(calls.slice(asked).filter((call) => recorded.has(call))).toEqual([]);
    expect(calls.length - new Set(calls).size, calls.join(", ")).toBeLessThanOrEqual(SIDE_BY_SIDE * seen.length);
    expectNoChangeTwice(calls);
    const recording = await readRecording((await readFile(join(home, "recording.ndjson"), "utf8")).split("\n"));
    for (const { log } of seen) expect(recording.events.slice(0, log.length), "what readers have seen").toEqual(log);
    await checkRecording(recording, scenario, server.url);
    return seen.length;
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** Runs the process to its end, and calls `onFault` while it waits. */
async function runHost(options: HostOptions, onFault: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [HOST, JSON.stringify(options)], { env: { NODE_COMPILE_CACHE: COMPILE_CACHE } });
  const closed = once(child, "close");
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  try {
    for await (const line of createInterface(child.stdout)) {
      if (line !== FAULT) continue;
      await onFault();
      child.stdin.write("\n");
    }
    expect(await closed, errors).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
}
