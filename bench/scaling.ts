// Measures runs per second with 1, 2 and 4 worker processes whose runs wait for a slow model. docs/scaling.md has the result.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { slow, text } from "../test/fakes/model-server/behaviors.ts";
import { openModelServer } from "../test/fakes/model-server/serve.ts";
import { addDatabase, startPostgres } from "../test/helpers/postgres-server.ts";
import { freePort } from "../test/helpers/processes.ts";

const SIZES = [1, 2, 4];
const CONCURRENCY = 4;
const ANSWER_MS = 4_000;
/** How often each place of a worker is used. */
const ROUNDS = 4;
const LOOK_MS = 100;

const SERVER = new URL("../src/server.ts", import.meta.url).pathname;

async function startProcess(role: "api" | "worker", home: string, settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const environment = { ...settings, ROLE: role, PORT: String(port), DATA_DIR: join(home, `${role}-${port}`) };
  const child = spawn(process.execPath, [SERVER], { env: environment, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await pause(LOOK_MS);
  return { url, child };
}

async function stop(children: readonly ChildProcess[]): Promise<void> {
  const ended = children.map((child) => once(child, "exit"));
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(ended);
}

async function perform(url: string, nth: number): Promise<void> {
  const body = JSON.stringify({ question: `When was lighthouse ${nth} built?`, graph: "agent" });
  const headers = { "content-type": "application/json", prefer: "wait=600" };
  const answer = await fetch(`${url}/research`, { method: "POST", headers, body });
  const { status } = (await answer.json()) as { status?: string };
  if (status !== "succeeded") throw new Error(`HTTP ${answer.status}: the run is ${status}`);
}

async function measure(home: string, size: number, settings: Readonly<Record<string, string>>) {
  const api = await startProcess("api", home, settings);
  const workers: ChildProcess[] = [];
  while (workers.length < size) workers.push((await startProcess("worker", home, settings)).child);
  const runs = size * CONCURRENCY * ROUNDS;
  for (let nth = 0; nth < size; nth += 1) await perform(api.url, -nth);
  const begin = performance.now();
  await Promise.all(Array.from({ length: runs }, (_, nth) => perform(api.url, nth)));
  const seconds = (performance.now() - begin) / 1_000;
  await stop([api.child, ...workers]);
  const predicted = (size * CONCURRENCY) / (ANSWER_MS / 1_000);
  return { workers: size, runs, predicted, measured: Number((runs / seconds).toFixed(2)), load: loadavg().map(Math.round) };
}

const home = await mkdtemp(join(tmpdir(), "dossier-scaling-"));
// PostgreSQL may run as another user.
await chmod(home, 0o755);
const postgres = await startPostgres(home, "on");
const model = await openModelServer(() => slow(text("The lighthouse was built in 1874."), { firstMs: ANSWER_MS }));
try {
  for (const size of SIZES) {
    const settings = {
      ...{ DATABASE_URL: await addDatabase(postgres.url, `size_${size}`), RUN_CONCURRENCY: String(CONCURRENCY), SOURCES: "arxiv" },
      ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none", OPENAI_MODEL: "scripted", LOG_LEVEL: "silent" },
    };
    process.stdout.write(`${JSON.stringify(await measure(home, size, settings))}\n`);
  }
} finally {
  await model.close();
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
