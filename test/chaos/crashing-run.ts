import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Recording } from "../../src/domain/recording.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import type { Replay } from "../../src/runs/replay.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import { type DiesAt, dying } from "./die-at.ts";
import type { HostOptions } from "./host.ts";
import { MARKS } from "./mutation-parts.ts";
import { type Instants, signalAt } from "./signal-at.ts";
import { runsInFolder, runsInPostgres, type StoredRuns } from "./stored-runs.ts";

export const HOST = new URL("./host.ts", import.meta.url).pathname;

/**
 * When a process is killed: at one of its events, at a statement of its databases, or by the clock. Null lets it end, unless what it asks
 * kills it.
 */
export type Death = DeathAtEvent | Omit<DiesAt, "afterResult"> | Instants | null;

type DeathAtEvent = NonNullable<HostOptions["kill"]> & {
  /** The server leaves its answers open from this request of the process on, counted from 0, so that the process dies within a stream. */
  readonly openFrom?: number;
};

/** The requests of a run over the network, and their expected outcome. */
export interface Scenario {
  readonly name: HostOptions["scenario"];
  readonly startServer: () => Promise<CallServer>;
  /** The settings that lead to the server at this address, if there are any. */
  readonly settings?: (url: string) => Readonly<Record<string, string>>;
  /** The effect kind that asks the server, and the name the server sees. */
  readonly kind: string;
  readonly callOf: (request: never) => string;
  /** The nodes in the order in which they end; a nested list may end in any order. */
  readonly path: readonly string[];
  readonly sideBySide?: boolean;
  readonly replay: (recording: Recording, url: string) => Promise<Replay>;
}

/** A server that names the requests it gets, in order; the caller may do anything with `calls`. */
export interface CallServer {
  readonly url: string;
  readonly calls: string[];
  /** Called when the last byte of the answer to this call was sent. */
  onAnswered?: (call: string) => void;
  /** The server leaves streams open after some pieces from this call on, counted from 0. */
  openFrom?: number | undefined;
  close(): Promise<void>;
}

export interface CrashedRun {
  readonly recording: Recording;
  readonly deaths: number;
  /** Everything that all processes asked the server. */
  readonly calls: readonly string[];
  /** Everything that all processes wrote into the folder's file of marks. */
  readonly marks: readonly string[];
  /** The calls that each process made again although the answer had been sent to an earlier one, which died before it recorded it. */
  readonly repeated: readonly (readonly string[])[];
}

/**
 * Drives one run through processes that are killed as scripted, then to its end, and checks everything a crash must not change. With the
 * address of a PostgreSQL database, the run is stored there.
 */
export async function runThrough(scenario: Scenario, deaths: readonly Death[], database?: string): Promise<CrashedRun> {
  const home = await makeHome(CORPUS);
  const server = await scenario.startServer();
  const stored = database === undefined ? runsInFolder(join(home, "data")) : runsInPostgres(database);
  try {
    const { died, calls, seen, repeated } = await dieAndGoOn({ scenario, home, server, database, stored }, deaths);
    const recording = await readRecording((await readFile(join(home, "recording.ndjson"), "utf8")).split("\n"));
    for (const log of seen) expect(recording.events.slice(0, log.length), "what readers have seen").toEqual(log);
    await checkRecording(recording, scenario, server.url);
    return { recording, deaths: died, calls, marks: await readMarks(home), repeated };
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function readMarks(home: string): Promise<string[]> {
  const marks = await readFile(join(home, MARKS), "utf8").catch(() => "");
  return marks.split("\n").slice(0, -1);
}

interface Setting {
  readonly scenario: Scenario;
  readonly home: string;
  readonly server: CallServer;
  readonly database: string | undefined;
  readonly stored: StoredRuns;
}

/** How often a process died before one reached the end, the server's requests, and the log after each death. */
async function dieAndGoOn({ scenario, home, server, database, stored }: Setting, deaths: readonly Death[]) {
  const calls: string[] = [];
  const seen: Recording["events"][] = [];
  const repeated: string[][] = [];
  const answered = new Set<string>();
  for (const death of [...deaths, null]) {
    const recorded = new Set((await stored.requests(scenario.kind)).map((request) => scenario.callOf(request as never)));
    const earlier = new Set(answered);
    server.calls.length = 0;
    server.openFrom = death !== null && "type" in death ? death.openFrom : undefined;
    // The server may end an answer for the process before, which is dead.
    server.onAnswered = (call) => server.calls.includes(call) && answered.add(call);
    const settings = scenario.settings?.(server.url);
    // Another crash without a result would end the run.
    const afterResult = (await stored.crashes()) >= MAX_CRASHES;
    const options = { home, serverUrl: server.url, scenario: scenario.name, settings, database };
    const ended = await runHost(options, afterResult && death !== null && "signals" in death ? null : death, afterResult);
    calls.push(...server.calls);
    repeated.push(server.calls.filter((call) => earlier.has(call)));
    expect(
      server.calls.filter((call) => recorded.has(call)),
      "recorded calls made again",
    ).toEqual([]);
    if (ended) break;
    await stored.afterDeath();
    seen.push(await stored.log());
  }
  return { died: seen.length, calls, seen, repeated };
}

const MAX_CRASHES = 2;

/** Runs the process until it dies, or returns that it has finished its work. */
async function runHost(options: HostOptions, death: Death, afterResult: boolean): Promise<boolean> {
  const atEvent = death !== null && "type" in death;
  const args = death !== null && "nth" in death && !atEvent ? [dying({ ...death, afterResult })] : [];
  const child = spawn(process.execPath, [...args, HOST, JSON.stringify({ ...options, ...(atEvent && { kill: death }) })], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  if (death !== null && "signals" in death) child.stdout.once("data", () => signalAt(child, death));
  let output = "";
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [, signal] = await once(child, "close");
  const ended = output.includes("DONE");
  if (!ended) expect(signal, errors).toBe("SIGKILL");
  return ended;
}

export async function checkRecording(recording: Recording, { path, sideBySide = false, replay }: Scenario, url: string): Promise<void> {
  const bodies = recording.events.map(({ event }) => JSON.parse(event.body));
  expect(recording.events.map(({ seq }) => seq)).toEqual(bodies.map((_, index) => index + 1));
  expect(new Set(recording.events.map(({ event }) => event.origin)).size).toBe(bodies.length);
  const ended = bodies.filter(({ type }) => type === "node-ended").map(({ node }) => node);
  expect(sideBySide ? ended.sort() : ended).toEqual(sideBySide ? [...path].sort() : path);
  expect(bodies.filter(({ type }) => type === "run-ended")).toHaveLength(1);
  expect(bodies.at(-1)).toMatchObject({ type: "run-ended", status: "succeeded" });
  expect(bodies.some(({ type }) => type === "run-restarted")).toBe(false);
  const again = await replay(recording, url);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
}
