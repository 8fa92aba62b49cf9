import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { Recording } from "../../src/domain/recording.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import type { Replay } from "../../src/runs/replay.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import type { HostOptions } from "./host.ts";
import { MARKS } from "./mutation-parts.ts";
import { processClock } from "./process-clock.ts";

const HOST = new URL("./host.ts", import.meta.url).pathname;

/**
 * When a process is killed: at one of its events, or some milliseconds after it is ready. Null lets it end, unless what it asks kills it.
 * A third crash without progress would end the run, so the milliseconds then count from its next record.
 */
export type Death = NonNullable<HostOptions["kill"]> | { readonly afterMs: number } | null;

/** The requests of a run over the network, and their expected outcome. */
export interface Scenario {
  readonly name: HostOptions["scenario"];
  readonly startServer: () => Promise<CallServer>;
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
  /** Milliseconds between the pieces of a stream; null keeps the server's default. */
  pieceDelayMs?: number | null;
  close(): Promise<void>;
}

/** A call that was made again although its answer had been sent `ageMs` before a kill, not counting waits for a processor. */
interface Repeated {
  readonly call: string;
  readonly ageMs: number;
}

export interface CrashedRun {
  readonly recording: Recording;
  readonly deaths: number;
  /** Everything that all processes asked the server. */
  readonly calls: readonly string[];
  /** Everything that all processes wrote into the folder's file of marks. */
  readonly marks: readonly string[];
  readonly repeated: readonly Repeated[];
}

/** Drives one run through processes that are killed as scripted, then to its end, and checks everything a crash must not change. */
export async function runThrough(scenario: Scenario, deaths: readonly Death[]): Promise<CrashedRun> {
  const home = await makeHome(CORPUS);
  const server = await scenario.startServer();
  try {
    const { died, calls, seen, repeated } = await dieAndGoOn({ scenario, home, server }, deaths);
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
}

/** Slow enough for a stream to be open when its process dies, on any machine. */
const SLOW_PIECE_MS = 150;

const diesInStream = (death: Death): boolean =>
  death !== null && "type" in death && ["reasoning", "content", "component"].includes(death.type);

/** How often a process died before one reached the end, the server's requests, and the log after each death. */
async function dieAndGoOn({ scenario, home, server }: Setting, deaths: readonly Death[]) {
  const calls: string[] = [];
  const seen: Recording["events"][] = [];
  const repeated: Repeated[] = [];
  const ages = new Map<string, number>();
  for (const death of [...deaths, null]) {
    const recorded = recordedCalls(home, scenario);
    server.calls.length = 0;
    server.pieceDelayMs = diesInStream(death) ? SLOW_PIECE_MS : null;
    const sentAt = new Map<string, number>();
    const { ended, killedAt } = await runHost({ home, serverUrl: server.url, scenario: scenario.name }, death, (now) => {
      // The server may end an answer for the process before, which is dead.
      server.onAnswered = (call) => server.calls.includes(call) && sentAt.set(call, now());
    });
    calls.push(...server.calls);
    for (const call of server.calls) if (ages.has(call)) repeated.push({ call, ageMs: Math.round(ages.get(call) ?? 0) });
    for (const [call, at] of sentAt) if (killedAt !== null && at <= killedAt) ages.set(call, killedAt - at);
    expect(
      server.calls.filter((call) => recorded.has(call)),
      "recorded calls made again",
    ).toEqual([]);
    if (ended) break;
    seen.push(readLog(home));
  }
  return { died: seen.length, calls, seen, repeated };
}

const MAX_CRASHES = 2;
const LOOK_MS = 10;

/** Waits for a record if the next crash without one would end the run. */
async function waitForProgress(home: string, crashes: number, signal: AbortSignal): Promise<void> {
  const isSuspect = () => query<{ crashes: number }>(home, "select crashes from runs").some((run) => run.crashes > 0);
  while (crashes >= MAX_CRASHES && !signal.aborted && isSuspect()) await pause(LOOK_MS);
}

/** Tells whether the process finished its work, or when it was killed by the clock that `onStart` gets. */
async function runHost(options: HostOptions, death: Death, onStart: (now: () => number) => void) {
  const { home } = options;
  const [{ crashes } = { crashes: 0 }] = query<{ crashes: number }>(home, "select crashes + (status = 'running') as crashes from runs");
  const closed = new AbortController();
  let killedAt: number | null = null;
  const kill = death !== null && "type" in death ? { kill: death } : {};
  const child = spawn(process.execPath, [HOST, JSON.stringify({ ...options, ...kill })], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const now = processClock(child.pid ?? 0);
  onStart(now);
  const killAfter = async (ms: number): Promise<void> => {
    // The process counts its last crash when it starts.
    await once(child.stdout, "data");
    await waitForProgress(home, crashes, closed.signal);
    await pause(ms);
    if (closed.signal.aborted) return;
    killedAt = now();
    child.kill("SIGKILL");
  };
  let output = "";
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  if (death !== null && "afterMs" in death) void killAfter(death.afterMs);
  const [, signal] = await once(child, "close");
  closed.abort();
  const ended = output.includes("DONE");
  if (!ended) expect(signal, errors).toBe("SIGKILL");
  return { ended, killedAt };
}

/** Returns the calls whose results the dead process has recorded. */
function recordedCalls(home: string, { kind, callOf }: Scenario): Set<string> {
  const rows = query<{ request: string }>(home, "select request from journal where ok = 1 and kind = ?", kind);
  return new Set(rows.map(({ request }) => callOf(JSON.parse(request) as never)));
}

/** Returns the log as readers could see it. */
function readLog(home: string): Recording["events"] {
  const rows = query<{ seq: number; origin: string; at: number; path: string; body: string }>(home, "select * from events order by seq");
  return rows.map(({ seq, origin, at, path, body }) => ({ seq, event: { origin, at, path, body } }));
}

function query<Row>(home: string, statement: string, ...values: string[]): Row[] {
  let database: Database.Database;
  try {
    database = new Database(join(home, "data", "dossier.sqlite"), { fileMustExist: true });
  } catch {
    return [];
  }
  try {
    const known = database.prepare("select 1 from sqlite_master where name = 'journal'").get();
    return known === undefined ? [] : (database.prepare(statement).all(...values) as Row[]);
  } finally {
    database.close();
  }
}

async function checkRecording(recording: Recording, { path, sideBySide = false, replay }: Scenario, url: string): Promise<void> {
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
