import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "undici";
import { drive, type Load, type Sample } from "./load.ts";

export const WAYS = ["bare", "engine", "http"] as const;
export type WayName = (typeof WAYS)[number];

/** One way to run the graph, in a process that works only while it is measured. */
export interface Way {
  readonly name: WayName;
  measure(load: Load): Promise<Sample>;
  close(): Promise<void>;
}

const HOST = new URL("./host.ts", import.meta.url);
const CONNECTIONS = 16;
const REQUEST = {
  path: "/research",
  method: "POST",
  headers: { "content-type": "application/json", prefer: "wait=30" },
  body: JSON.stringify({ question: "q", graph: "six-nodes" }),
} as const;

/** Starts the process of a way; its log lines go to a file, as a service's would. */
export async function startWay(name: WayName, home: string): Promise<Way> {
  const folder = join(home, name);
  await mkdir(folder);
  const log = openSync(join(folder, "log.ndjson"), "w");
  const child = fork(HOST, [name, folder], { stdio: ["ignore", "ignore", log, "ipc"], execArgv: execArgvOf(name) });
  const { port } = await answerOf<{ port: number | null }>(child, folder);
  const pool = port === null ? null : new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  return {
    name,
    measure(load) {
      if (pool !== null) return drive(load, () => research(pool));
      child.send(load);
      return answerOf<Sample>(child, folder);
    },
    async close() {
      await pool?.close();
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/** `node --cpu-prof --cpu-prof-dir=<folder> bench/overhead.ts` profiles the processes of the ways as well. */
function execArgvOf(name: WayName): string[] {
  const flags = process.execArgv.filter((flag) => flag.startsWith("--cpu-prof"));
  return flags.length === 0 ? [] : [...flags, `--cpu-prof-name=${name}.cpuprofile`];
}

async function answerOf<T>(child: ChildProcess, folder: string): Promise<T> {
  const gone = new AbortController();
  const exit = once(child, "exit", { signal: gone.signal }).then(
    () => Promise.reject(new Error(`The process ended; see ${folder}/log.ndjson.`)),
    () => undefined as never,
  );
  try {
    const [message] = await Promise.race([once(child, "message"), exit]);
    return message as T;
  } finally {
    gone.abort();
  }
}

async function research(pool: Pool): Promise<void> {
  const { statusCode, body } = await pool.request(REQUEST);
  const answer = (await body.json()) as { status?: string };
  if (statusCode !== 200 || answer.status !== "succeeded") throw new Error(`HTTP ${statusCode}: ${JSON.stringify(answer)}`);
}
