// A process that continues its folder's runs, of which one kills it: node poison-host.ts '{"home","poison","looks", ...}'.
import { EventEmitter, once } from "node:events";
import { writeSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createExtractor } from "../../src/documents/extract.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { testGraph } from "../helpers/test-graph.ts";
import { onStatement } from "./count-statements.ts";

export interface PoisonOptions {
  readonly home: string;
  /** The PostgreSQL database that several processes share. Without one, the runs are in the folder. */
  readonly database?: string;
  /** How many processes of this folder were killed before. */
  readonly crashes: number;
  /** What ends the process: its own signal, a thread of the run, no memory, or work without end, which the test ends when told. */
  readonly poison: "signal" | "thread" | "memory" | "loop";
  /**
   * The poisonous run kills the process when all neighbors wait for their model, or after the engine has looked so many times whether it has
   * recorded a result. It is then the oldest run; with 0 it kills at once, and is the newest.
   */
  readonly looks: number;
  /** Their model answers when the poisonous run has failed; in several processes, soon, because one that has failed twice waits for them. */
  readonly neighbors: number;
}

const TENANT = "default";
const { home, database, crashes, poison: kind, looks, neighbors }: PoisonOptions = JSON.parse(process.argv[2] ?? "{}");
const State = Annotation.Root({ said: Annotation<string> });

function define(name: string, say: () => Promise<string>) {
  const speak = bindNode(async (_: typeof State.State, effects: Effects) => ({
    said: await effects.perform({ kind: "model", request: name, timeoutMs: 600_000, live: say }),
  }));
  return testGraph<typeof State.State>({
    name,
    compile: (checkpointer) =>
      new StateGraph(State).addNode("speak", speak).addEdge(START, "speak").addEdge("speak", END).compile({ checkpointer }) as never,
    input: {},
    report: ({ said }) => said,
  });
}

/** How the engine asks whether a run has recorded anything. Each time, a second passes. */
const LOOK = /^select crashes from runs where id = \S+$/;
const failed = Promise.withResolvers<void>();
const changes = new EventEmitter();
let looked = 0;
let waiting = 0;
onStatement((sql) => {
  if (!LOOK.test(sql)) return;
  looked += 1;
  changes.emit("change");
});

async function untilDue(): Promise<void> {
  for (const before = looked; waiting < neighbors && looked - before < looks; ) await once(changes, "change");
}

const KILL = "process.kill(process.pid, 'SIGKILL')";
const POISONS: Record<PoisonOptions["poison"], () => unknown> = {
  signal: () => process.kill(process.pid, "SIGKILL"),
  thread: () => once(new Worker(KILL, { eval: true }), "exit"),
  memory() {
    for (const kept: unknown[] = []; ; ) kept.push(Array.from({ length: 1_000 }, () => ({})));
  },
  loop() {
    writeSync(2, "looping");
    for (;;);
  },
};

const poison = define("poison", async () => {
  if (looks > 0) await untilDue();
  await POISONS[kind]();
  return "";
});
const healthy = define("healthy", async () => {
  waiting += 1;
  changes.emit("change");
  if (database === undefined) await failed.promise;
  return "Well.";
});
const config = readConfig({
  DATA_DIR: join(home, "data"),
  CORPUS_DIR: join(home, "corpus"),
  LOG_LEVEL: "warn",
  SOURCES: "corpus",
  RUN_CONCURRENCY: String(neighbors + 1),
  ...(database !== undefined && { DATABASE_URL: database }),
});
const graphs = [poison, healthy].map((graph) => (storage: { checkpoints: Parameters<typeof graph>[0] }) => graph(storage.checkpoints));
/** Each process begins an hour after the one before. */
const began = Date.parse("2026-01-05T10:00:00Z") + 3_600_000 * crashes;
const dossier = await compose(config, { extractor: createExtractor(), graphs, clock: () => began + 1_000 * looked });
await dossier.recover();
const names = Array.from({ length: neighbors }, (_, index) => `healthy ${index}`);
const ids: string[] = [];
for (const name of looks > 0 ? ["poison", ...names] : [...names, "poison"]) {
  const request = ResearchRequestSchema.parse({ question: name, graph: name.split(" ")[0] });
  ids.push((await dossier.runs.start(TENANT, request, { idempotencyKey: name })).id);
}
const signal = new AbortController().signal;
const [poisoned = ""] = looks > 0 ? ids : ids.slice(-1);
void dossier.runs.wait(TENANT, poisoned, { timeoutMs: 600_000, signal }).then(() => failed.resolve());
const ended = await Promise.all(ids.map((id) => dossier.runs.wait(TENANT, id, { timeoutMs: 600_000, signal })));
const outcomes = ended.map(({ question, status, error }) => ({ question, status, error }));
await writeFile(join(home, "outcomes.json"), JSON.stringify(outcomes));
await dossier.close(0);
