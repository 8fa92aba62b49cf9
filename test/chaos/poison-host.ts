// A process that continues its folder's runs, of which one kills it: node poison-host.ts '{"home","poison","killAfterMs", ...}'.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createExtractor } from "../../src/documents/extract.ts";
import type { Effects, KeptReplies } from "../../src/domain/ports/effects.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { testGraph } from "../helpers/test-graph.ts";

export interface PoisonOptions {
  readonly home: string;
  /** What ends the process: its own signal, a thread of the run, no memory, or work without end, which the test ends when told. */
  readonly poison: "signal" | "thread" | "memory" | "loop";
  /** Whether the runs declare that they wait before they go on. */
  readonly declared: boolean;
  /** How long the poisonous run takes to kill the process. It is the oldest run if that takes time, or else the newest. */
  readonly killAfterMs: number;
  readonly neighbors: number;
  /** How long the model of the neighbors takes. */
  readonly answerMs: number;
}

const TENANT = "default";
const { home, poison: kind, declared, killAfterMs, neighbors, answerMs }: PoisonOptions = JSON.parse(process.argv[2] ?? "{}");
const State = Annotation.Root({ said: Annotation<string> });

function define(name: string, say: (replies: KeptReplies) => Promise<string>) {
  const speak = bindNode(async (_: typeof State.State, effects: Effects) => ({
    said: await effects.perform({ kind: "model", request: name, timeoutMs: 600_000, live: (_, replies) => say(replies) }),
  }));
  return testGraph<typeof State.State>({
    name,
    compile: (checkpointer) =>
      new StateGraph(State).addNode("speak", speak).addEdge(START, "speak").addEdge("speak", END).compile({ checkpointer }) as never,
    input: {},
    report: ({ said }) => said,
  });
}

function wait(ms: number, replies: KeptReplies): Promise<void> {
  return declared ? replies.whileWaiting(() => pause(ms)) : pause(ms);
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

const poison = define("poison", async (replies) => {
  if (killAfterMs > 0) await wait(killAfterMs, replies);
  await POISONS[kind]();
  return "";
});
const healthy = define("healthy", async (replies) => {
  await wait(answerMs, replies);
  return "Well.";
});
const config = readConfig({
  DATA_DIR: join(home, "data"),
  CORPUS_DIR: join(home, "corpus"),
  LOG_LEVEL: "warn",
  SOURCES: "corpus",
  RUN_CONCURRENCY: String(neighbors + 1),
});
const graphs = [poison, healthy].map((graph) => (storage: { checkpoints: Parameters<typeof graph>[0] }) => graph(storage.checkpoints));
const dossier = await compose(config, { extractor: createExtractor(), graphs });
await dossier.recover();
const names = Array.from({ length: neighbors }, (_, index) => `healthy ${index}`);
const ids: string[] = [];
for (const name of killAfterMs > 0 ? ["poison", ...names] : [...names, "poison"]) {
  const request = ResearchRequestSchema.parse({ question: name, graph: name.split(" ")[0] });
  ids.push((await dossier.runs.start(TENANT, request, { idempotencyKey: name })).id);
}
const signal = new AbortController().signal;
const ended = await Promise.all(ids.map((id) => dossier.runs.wait(TENANT, id, { timeoutMs: 600_000, signal })));
const outcomes = ended.map(({ question, status, error }) => ({ question, status, error }));
await writeFile(join(home, "outcomes.json"), JSON.stringify(outcomes));
await dossier.close(0);
