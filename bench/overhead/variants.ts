import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "undici";
import { type Load, runLoad, type Sample } from "./load.ts";

/** Those whose name ends so are on PostgreSQL, the others on SQLite. */
const ON_POSTGRES = "-postgres";
export const VARIANTS = ["bare", "engine", "http", "bare-postgres", "http-postgres"] as const;
export type VariantName = (typeof VARIANTS)[number];

/** One way to run the graph, in its own process. The process is idle while others are measured. */
export interface Variant {
  readonly name: VariantName;
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

/** Starts the process of a variant. Its log goes to a file. `newDatabase` returns the address of an empty PostgreSQL database. */
export async function startVariant(name: VariantName, home: string, newDatabase: (name: string) => Promise<string>): Promise<Variant> {
  const folder = join(home, name);
  await mkdir(folder);
  const log = openSync(join(folder, "log.ndjson"), "w");
  const database = name.endsWith(ON_POSTGRES) ? [await newDatabase(name.replaceAll("-", "_"))] : [];
  const child = fork(HOST, [name, folder, ...database], { stdio: ["ignore", "ignore", log, "ipc"], execArgv: profileFlags(name) });
  const { port } = await nextMessage<{ port: number | null }>(child, folder);
  const pool = port === null ? null : new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  return {
    name,
    measure(load) {
      if (pool !== null) return runLoad(load, () => requestRun(pool));
      child.send(load);
      return nextMessage<Sample>(child, folder);
    },
    async close() {
      await pool?.close();
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/** Passes the flags `--cpu-prof...` of this process on, so that each variant writes a profile too. */
function profileFlags(name: VariantName): string[] {
  const flags = process.execArgv.filter((flag) => flag.startsWith("--cpu-prof"));
  return flags.length === 0 ? [] : [...flags, `--cpu-prof-name=${name}.cpuprofile`];
}

async function nextMessage<T>(child: ChildProcess, folder: string): Promise<T> {
  const done = new AbortController();
  const exit = once(child, "exit", { signal: done.signal }).then(
    () => Promise.reject(new Error(`The process of the variant ended. Its log is ${folder}/log.ndjson.`)),
    () => undefined as never,
  );
  try {
    const [message] = await Promise.race([once(child, "message"), exit]);
    return message as T;
  } finally {
    done.abort();
  }
}

async function requestRun(pool: Pool): Promise<void> {
  const { statusCode, body } = await pool.request(REQUEST);
  const answer = (await body.json()) as { status?: string };
  if (statusCode !== 200 || answer.status !== "succeeded") throw new Error(`HTTP ${statusCode}: ${JSON.stringify(answer)}`);
}
