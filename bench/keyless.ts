import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import type { Usage } from "./keyless/host.ts";
import { longTexts, questionsAbout } from "./keyless/questions.ts";
import { runLoad, type Sample } from "./overhead/load.ts";

// Measures runs without a model over docs/, and over docs/ with twelve long texts: runs per second, time to the end of the event stream,
// processor time, event loop delay and memory. Prints one line of JSON: npm run bench:keyless
// `fresh` are the first runs after the start, in which V8 still compiles; the others are 200 different questions that were not asked before.
// With `-- --rest 3000` it measures only the memory at rest after 3,000 different runs over docs/, which must stay under 250 MB.

const DOCS = new URL("../docs/", import.meta.url).pathname;
const QUESTIONS = 200;
const ROUNDS = 3;
const SECONDS = 30;
const REST_MS = 45_000;
const CLIENTS = 16;
const TARGETS = { runsPerSecond: 70, endOfStreamMs: 30, delayP999Ms: 20, delayMaxMs: 50, restMb: 250 };

interface Figures {
  readonly runsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly processorMsPerRun: number;
  readonly delayMs: Usage["delayMs"];
  readonly rssMb: number;
}

class Server {
  readonly #child: ChildProcess;
  readonly #pool: Pool;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: CLIENTS });
  }

  static async start(dataDir: string, corpusDir: string): Promise<Server> {
    const profile = process.execArgv.filter((flag) => flag.startsWith("--cpu-prof"));
    const child = fork(new URL("./keyless/host.ts", import.meta.url), [dataDir, corpusDir], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: profile,
    });
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    return new Server(child, port);
  }

  async measure(clients: number, questions: readonly string[], seconds = SECONDS): Promise<Figures> {
    await this.readUsage();
    let next = 0;
    const ask = () => this.#ask(questions[next++ % questions.length] ?? "");
    const sample = await runLoad({ clients, runs: questions.length, seconds }, ask);
    return figuresOf(sample, await this.readUsage());
  }

  async close(): Promise<void> {
    await this.#pool.close();
    this.#child.disconnect();
    await once(this.#child, "exit");
  }

  /** Starts a run and reads its event stream to the end. */
  async #ask(question: string): Promise<void> {
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const body = JSON.stringify({ question, sources: ["corpus"] });
    const { statusCode, body: stream } = await this.#pool.request({ path: "/research", method: "POST", headers, body });
    const text = await stream.text();
    if (statusCode !== 200 || !text.includes('"succeeded"')) throw new Error(`HTTP ${statusCode}: ${text.slice(-500)}`);
  }

  async readUsage(): Promise<Usage> {
    const answer = once(this.#child, "message");
    this.#child.send({});
    const [usage] = (await answer) as [Usage];
    return usage;
  }
}

function figuresOf({ runsPerSecond, latencies }: Sample, { processorMs, delayMs, rssMb }: Usage): Figures {
  const at = (share: number): number => Number((latencies[Math.floor(latencies.length * share)] ?? Number.NaN).toFixed(1));
  const processorMsPerRun = Number((processorMs / latencies.length).toFixed(2));
  return { runsPerSecond: Number(runsPerSecond.toFixed(1)), p50Ms: at(0.5), p95Ms: at(0.95), processorMsPerRun, delayMs, rssMb };
}

interface Phases {
  readonly fresh: Figures;
  readonly one: Figures;
  readonly sixteen: Figures;
}

async function measureCorpus(home: string, name: string, corpus: string, questions: readonly string[]): Promise<Phases> {
  const server = await Server.start(join(home, name), corpus);
  const [first, second, third] = [0, 1, 2].map((part) => questions.filter((_, i) => i % 3 === part));
  try {
    const fresh = await server.measure(CLIENTS, first ?? []);
    const one = await server.measure(1, second ?? []);
    const sixteen = await server.measure(CLIENTS, Array.from({ length: ROUNDS }, () => third ?? []).flat());
    return { fresh, one, sixteen };
  } finally {
    await server.close();
  }
}

/** Asks `runs` different questions, and returns the memory at rest after them. */
async function measureRest(home: string, runs: number, questions: readonly string[]): Promise<object> {
  const server = await Server.start(join(home, "rest"), DOCS);
  const count = questions.length;
  const partner = (i: number): string => questions[(7 * i + Math.floor(i / count)) % count] ?? "";
  const pairs = Array.from({ length: runs }, (_, i) => `${questions[i % count]} ${partner(i)}`);
  try {
    const busy = await server.measure(CLIENTS, pairs, Number.POSITIVE_INFINITY);
    await pause(REST_MS);
    const { rssMb: restMb } = await server.readUsage();
    return { runs, busy, restMb, met: { restMb: restMb < TARGETS.restMb } };
  } finally {
    await server.close();
  }
}

async function measureAll(home: string, questions: readonly string[]): Promise<object> {
  const docs = await measureCorpus(home, "docs", DOCS, questions);
  const long = join(home, "corpus");
  await mkdir(long);
  await cp(DOCS, long, { recursive: true });
  for (const [file, text] of longTexts(await readFile(join(DOCS, "http-api.md"), "utf8"))) await writeFile(join(long, file), text);
  const withLongTexts = await measureCorpus(home, "long", long, questions);
  const delays = [docs, withLongTexts].flatMap(({ one, sixteen }) => [one.delayMs, sixteen.delayMs]);
  const met = {
    runsPerSecond: docs.sixteen.runsPerSecond >= TARGETS.runsPerSecond,
    endOfStream: docs.one.p50Ms < TARGETS.endOfStreamMs,
    delay: delays.every(({ p999, max }) => p999 < TARGETS.delayP999Ms && max <= TARGETS.delayMaxMs),
  };
  return { docs, withLongTexts, met };
}

const { rest } = parseArgs({ options: { rest: { type: "string" } } }).values;
const home = await mkdtemp(join(tmpdir(), "dossier-keyless-"));
try {
  const questions = await questionsAbout(DOCS, 3 * QUESTIONS);
  console.log(JSON.stringify(await (rest === undefined ? measureAll(home, questions) : measureRest(home, Number(rest), questions))));
} finally {
  await rm(home, { recursive: true, force: true });
}
