import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { replay } from "../../src/compose.ts";
import type { Recording } from "../../src/domain/recording.ts";
import { readRecording } from "../../src/journal/read-recording.ts";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import type { HostOptions } from "./host.ts";
import { PATH, scenarioParts } from "./scenario.ts";

const HOST = new URL("./host.ts", import.meta.url).pathname;
const TOOL_DELAY_MS = 25;

/** When to kill a process: at an event of its own, or so many milliseconds after it is ready. Null lets it end. */
export type Death = NonNullable<HostOptions["kill"]> | { readonly afterMs: number } | null;

export interface CrashedRun {
  readonly recording: Recording;
  readonly deaths: number;
}

/** Drives one run through processes that die as told, then to its end, and checks everything a crash may not change. */
export async function runThrough(deaths: readonly Death[]): Promise<CrashedRun> {
  const home = await makeHome(CORPUS);
  const tools = await startTools();
  try {
    const deathsDied = await dieAndGoOn(home, tools, deaths);
    const recording = await readRecording((await readFile(join(home, "recording.ndjson"), "utf8")).split("\n"));
    await checkRecording(recording, tools.url);
    return { recording, deaths: deathsDied };
  } finally {
    await tools.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** How often the process died before it came to the end. */
async function dieAndGoOn(home: string, tools: LoopbackServer, deaths: readonly Death[]): Promise<number> {
  let died = 0;
  for (const death of [...deaths, null]) {
    const recorded = recordedCalls(home);
    tools.requests.length = 0;
    const ended = await runHost(home, tools.url, death);
    expect(
      tools.requests.filter((path) => recorded.has(path)),
      "recorded calls made again",
    ).toEqual([]);
    if (ended) break;
    died += 1;
  }
  return died;
}

function startTools(): Promise<LoopbackServer> {
  return startLoopback(async (request, response) => {
    const url = new URL(request.url ?? "", "http://tools");
    const query = url.searchParams.get("query") ?? "";
    await pause(TOOL_DELAY_MS);
    const source = {
      title: query,
      url: `https://example.org${url.pathname}/${encodeURIComponent(query)}`,
      publishedAt: null,
      snippet: query,
      text: `${url.pathname} says ${query}.`,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
}

/** Whether the process came to the end of its work. */
async function runHost(home: string, toolsUrl: string, death: Death): Promise<boolean> {
  const kill = death !== null && "type" in death ? { kill: death } : {};
  const child = spawn(process.execPath, [HOST, JSON.stringify({ home, toolsUrl, ...kill })], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk) => {
    if (output === "" && death !== null && "afterMs" in death) setTimeout(() => child.kill("SIGKILL"), death.afterMs);
    output += chunk;
  });
  const [, signal] = await once(child, "close");
  if (output.includes("DONE")) return true;
  expect(signal, errors).toBe("SIGKILL");
  return false;
}

/** The tool requests whose results the dead process has recorded, as the paths they have at the server. */
function recordedCalls(home: string): Set<string> {
  let database: Database.Database;
  try {
    database = new Database(join(home, "data", "dossier.sqlite"), { fileMustExist: true });
  } catch {
    return new Set();
  }
  try {
    const known = database.prepare("select 1 from sqlite_master where name = 'journal'").get();
    const rows =
      known === undefined ? [] : (database.prepare("select request from journal where kind = 'tool'").all() as { request: string }[]);
    return new Set(
      rows.map(({ request }) => JSON.parse(request)).map(({ tool, arguments: args }) => `/${tool}?query=${encodeURIComponent(args.query)}`),
    );
  } finally {
    database.close();
  }
}

async function checkRecording(recording: Recording, toolsUrl: string): Promise<void> {
  const bodies = recording.events.map(({ event }) => JSON.parse(event.body));
  expect(recording.events.map(({ seq }) => seq)).toEqual(bodies.map((_, index) => index + 1));
  expect(new Set(recording.events.map(({ event }) => event.origin)).size).toBe(bodies.length);
  expect(bodies.filter(({ type }) => type === "node-ended").map(({ node }) => node)).toEqual(PATH);
  expect(bodies.filter(({ type }) => type === "run-ended")).toHaveLength(1);
  expect(bodies.at(-1)).toMatchObject({ type: "run-ended", status: "succeeded" });
  expect(bodies.some(({ type }) => type === "run-restarted")).toBe(false);
  const again = await replay(recording, scenarioParts(toolsUrl));
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
}
