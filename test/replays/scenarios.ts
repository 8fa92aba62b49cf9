import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { VERIFIER } from "../../src/analyst/research-roles.ts";
import { compose, type Dossier, replay } from "../../src/compose.ts";
import { type Parts } from "../../src/compose/parts.ts";
import { readConfig } from "../../src/config.ts";
import { createExtractor } from "../../src/documents/extract.ts";
import { localScope } from "../helpers/local-scope.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Recording } from "../../src/domain/recording.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { type Replay, replayRecording } from "../../src/runs/replay.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, offeredTools } from "../fakes/model-server/seen-request.ts";
import { openModelServer } from "../fakes/model-server/serve.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { defineWaiting } from "../helpers/waiting-graph.ts";
import { RESEARCH_QUESTION, researchScript, TEAM, teamScript } from "./model-scripts.ts";

const TENANT = "default";
const CORPUS = new URL("../fixtures/replay-corpus", import.meta.url).pathname;
const NOBODY = new AbortController().signal;

/** How a recording in this folder is made, and what replays it. */
export interface Scenario {
  readonly parts: (toolsUrl: string) => Parts;
  /** The model's script, if there is a model; created again for each recording. */
  readonly model?: () => Script;
  /** Drives a run to its end or a wait; returns its id. `reopen` stops the process after `drainMs` and starts the next one. */
  readonly lead: (open: () => Dossier, reopen: (drainMs: number) => Promise<void>) => Promise<string>;
  readonly replay: (recording: Recording) => Promise<Replay>;
}

const LIGHTHOUSE = "Who built the lighthouse of Aldermoor?";
const NO_TOOLS = "http://127.0.0.1:9";

const plain = (question: string): Scenario => ({
  parts: () => ({}),
  lead: async (open) => finish(open(), await start(open(), question)),
  replay: (recording) => replay(recording),
});

const withTools = (lead: Scenario["lead"]): Scenario => ({ parts: toolParts, lead, replay: (recording) => replay(recording, toolParts(NO_TOOLS)) });

/** Two rounds of a slow tool, the first with two calls at once. */
function toolParts(url: string): Parts {
  const ask = (query: string) => ["alpha", { query }] as const;
  return { analyst: scriptedAnalyst([[ask("a"), ask("灯塔")], [ask("b")]]), tools: [httpTool("alpha", url)] };
}

const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";

/** One round with a tool, with reasoning, then a report with citations. */
const executorScript: Script = (request, index) => {
  if (index === 0) return say.toolCalls([{ name: "alpha", arguments: { query: "灯塔" } }], { reasoning: "先查工具。 The tool may know." });
  if (offeredTools(request).length > 0) return say.text("Enough is known.");
  const shown = contentsOf(request, "user").join("\n");
  const id = [...shown.slice(0, shown.indexOf(BUILT)).matchAll(/\bP\d+\b/g)].at(-1)?.[0];
  return say.text(`Ada Penrose built it in 1874. [${id}: "${BUILT}"]`, { reasoning: "一句话就够了。", reasoningIn: "think" });
};

const AGENT_SCRIPT: Script = [
  say.toolCalls([{ name: "ask_user", arguments: { question: "Which lighthouse? 哪座灯塔？" } }]),
  say.toolCalls([
    { name: "search", arguments: { query: "lighthouse Aldermoor built" } },
    { name: "calculator", arguments: { expression: "2026 - 1874" } },
  ]),
  say.toolCalls([{ name: "finish_task", arguments: { answer: `Ada Penrose built it in 1874, 152 years ago. [S1: "${BUILT}"]` } }]),
];

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  english: plain(LIGHTHOUSE),
  chinese: plain("奥尔德穆尔灯塔是谁设计的？"),
  "no-answer": plain("Who won the chess tournament of Reykjavik?"),
  tools: withTools(async (open) => finish(open(), await start(open(), LIGHTHOUSE))),
  interrupted: withTools(async (open, reopen) => {
    const id = await start(open(), LIGHTHOUSE);
    for (const round of [1, 2]) {
      await until(open(), id, (event) => event.type === "tool-started" && (round === 1 || event.callId.startsWith("call-1")));
      await reopen(0);
    }
    return finish(open(), id);
  }),
  drained: withTools(async (open, reopen) => {
    const id = await start(open(), LIGHTHOUSE);
    await until(open(), id, (event) => event.type === "tool-started");
    await reopen(10_000);
    return finish(open(), id);
  }),
  cancelled: withTools(async (open) => {
    const id = await start(open(), LIGHTHOUSE);
    await until(open(), id, (event) => event.type === "tool-started" && event.callId.startsWith("call-1"));
    await open().runs.cancel(TENANT, id);
    return finish(open(), id);
  }),
  "executor-model": {
    parts: (url) => ({ tools: [httpTool("alpha", url)] }),
    model: () => executorScript,
    lead: async (open) => finish(open(), await start(open(), LIGHTHOUSE)),
    replay: (recording) => replay(recording, { tools: [httpTool("alpha", NO_TOOLS)] }),
  },
  "agent-model": {
    parts: () => ({}),
    model: () => AGENT_SCRIPT,
    async lead(open, reopen) {
      const id = await finish(open(), await start(open(), "How old is the lighthouse? 灯塔有多少年了？", "agent"));
      await reopen(0);
      await open().runs.answer(TENANT, id, { answer: "奥尔德穆尔的那座 (Aldermoor)" });
      return finish(open(), id);
    },
    replay: (recording) => replay(recording),
  },
  research: {
    parts: () => ({ tools: [], judges: [VERIFIER] }),
    model: researchScript,
    async lead(open, reopen) {
      const id = await finish(open(), await start(open(), RESEARCH_QUESTION, "research", { planApproval: true }));
      await reopen(0);
      await open().runs.answer(TENANT, id, { approve: true });
      return finish(open(), id);
    },
    replay: (recording) => replay(recording, { tools: [], judges: [VERIFIER] }),
  },
  team: {
    parts: () => ({ tools: [] }),
    model: () => teamScript,
    lead: async (open) => finish(open(), await start(open(), "How old is the lighthouse of Aldermoor? 港墙呢？", "team", { team: TEAM })),
    replay: (recording) => replay(recording, { tools: [] }),
  },
  answered: {
    parts: () => ({ graphs: [(storage) => defineWaiting(storage.checkpoints)] }),
    async lead(open, reopen) {
      const id = await start(open(), "大家在哪里？", "waiting");
      for (const answers of [["here", false], ["一"], [0]]) {
        await finish(open(), id);
        await reopen(0);
        for (const answer of answers) {
          const [pending] = (await open().runs.get(TENANT, id)).pending.map((question) => question.id);
          await open().runs.answer(TENANT, id, { answer, ...(pending === undefined ? {} : { pendingId: pending }) });
        }
      }
      return finish(open(), id);
    },
    replay: (recording) => replayRecording(recording, defineWaiting(new MemorySaver()), openJournal),
  },
};

/** Runs the scenario with real parts in a folder of its own; returns the recording's lines. */
export async function recordScenario(scenario: Scenario): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "dossier-record-"));
  const server = await startLoopback(async (request, response) => {
    const query = new URL(request.url ?? "", "http://tools").searchParams.get("query") ?? "";
    const source = { title: query, url: `https://example.org/${encodeURIComponent(query)}`, publishedAt: null, snippet: query, text: `The tool says ${query}.` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
  const model = scenario.model === undefined ? null : await openModelServer(scenario.model());
  const openOne = async (): Promise<Dossier> => {
    const parts = scenario.parts(server.url);
    const environment = { DATA_DIR: dataDir, CORPUS_DIR: CORPUS, LOG_LEVEL: "silent", SOURCES: localScope(parts), ...(model && { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" }) };
    const dossier = await compose(readConfig(environment), { extractor: createExtractor(), ...parts });
    await dossier.recover();
    return dossier;
  };
  let dossier = await openOne();
  try {
    const reopen = async (drainMs: number): Promise<void> => {
      await dossier.close(drainMs);
      dossier = await openOne();
    };
    const id = await scenario.lead(() => dossier, reopen);
    return await Array.fromAsync(dossier.runs.recording(TENANT, id));
  } finally {
    await dossier.close(0);
    await server.close();
    await model?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function start(dossier: Dossier, question: string, graph = "executor", more: object = {}): Promise<string> {
  return (await dossier.runs.start(TENANT, ResearchRequestSchema.parse({ question, graph, ...more }))).id;
}

async function finish({ runs }: Dossier, id: string): Promise<string> {
  await runs.wait(TENANT, id, { timeoutMs: 300_000, signal: NOBODY });
  return id;
}

async function until({ runs }: Dossier, id: string, reached: (event: RunEvent) => boolean): Promise<void> {
  for await (const page of runs.follow(TENANT, id, { after: 0, signal: NOBODY, heartbeatMs: 1_000 })) {
    if (page?.some(reached)) return;
  }
}
