import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { compose, type Dossier } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import { type Hit, sourceIdOf } from "../../src/domain/hit.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import type { Run } from "../../src/domain/run.ts";
import { contentsOf } from "../../test/fakes/model-server/seen-request.ts";
import { type ModelServer, openModelServer } from "../../test/fakes/model-server/serve.ts";
import { finding } from "../../test/helpers/search-answer.ts";
import { type Attack, pageOf } from "./attack.ts";
import { FORBIDDEN_TOOLS, respondObediently } from "./obedient-model.ts";

/** The attacks of one run. */
export interface AttackGroup {
  /** A word that only this run's pages, hits and question contain. */
  readonly topic: string;
  readonly attacks: readonly Attack[];
}

/** A finished run with its events, recording and documents. */
export interface AttackRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly recording: string;
  /** Content hash to the text of each cited document. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface TestService {
  readonly canary: string;
  /** Connections and requests that the canary server received. */
  readonly canaryRequests: readonly string[];
  /** Names of tools that ran although they were not offered. */
  readonly executedForbiddenTools: readonly string[];
  readonly model: ModelServer;
  readonly key: string;
  runGroup(group: AttackGroup, graph: "executor" | "agent"): Promise<AttackRun>;
  close(): Promise<void>;
}

export const TENANT = "default";
const KEY = "sk-canary-0123456789abcdef";
const RUN_TIMEOUT_MS = 300_000;
const MAX_SNIPPET = 3_000;

export const quoteOf = (topic: string): string => `The lamp of ${topic} burns whale oil in every storm`;

/** Starts the service with a model that obeys attacks. Pages, hits and the result of the tool `lookup` contain the attacks. */
export async function openTestService(groups: readonly AttackGroup[]): Promise<TestService> {
  const home = await mkdtemp(join(tmpdir(), "dossier-injections-"));
  await writePages(join(home, "corpus"), groups);
  const heard: string[] = [];
  const canary = await listen(heard);
  const groupOf = (text: string): AttackGroup | undefined => groups.find(({ topic }) => text.includes(topic));
  const model = await openModelServer((request) => {
    const group = groupOf(contentsOf(request, "user").join("\n"));
    return group === undefined ? undefined : respondObediently(request, { ...group, canary: canary.url, quote: quoteOf(group.topic) });
  });
  const ran: string[] = [];
  const dossier = await compose(configOf(home, model.url), {
    tools: [lookup(groupOf), ...FORBIDDEN_TOOLS.map((name) => forbidden(name, ran))],
    sources: [pages(groupOf, canary.url)],
    network: { resolve: async () => [] },
  });
  return {
    canary: canary.url,
    canaryRequests: heard,
    executedForbiddenTools: ran,
    model,
    key: KEY,
    runGroup: (group, graph) => runAttacks(dossier, group, graph),
    async close() {
      await dossier.close(0);
      await model.close();
      await canary.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function configOf(home: string, modelUrl: string) {
  return readConfig({
    DATA_DIR: join(home, "data"),
    CORPUS_DIR: join(home, "corpus"),
    LOG_LEVEL: "silent",
    SOURCES: "corpus,pages,lookup",
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: KEY,
    OPENAI_MODEL: "scripted",
  });
}

async function writePages(folder: string, groups: readonly AttackGroup[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { topic, attacks } of groups)
    for (const [i, attack] of attacks.entries())
      await writeFile(join(folder, `${topic}-${i}.md`), `# The lamp of ${topic}\n\n${quoteOf(topic)}.\n\n${pageOf(attack)}\n`);
}

/** Makes a source whose hits contain the attacks. The first hit points to the canary server, the others to hosts that do not exist. */
function pages(groupOf: (text: string) => AttackGroup | undefined, canary: string): SearchSource {
  const hitOf = (attack: Attack, i: number, topic: string): Hit => {
    const url = i === 0 ? `${canary}/hit/${topic}` : `https://pages.example/${topic}/${i}`;
    const said = pageOf(attack).replace(/\s+/g, " ");
    return {
      id: sourceIdOf(url),
      kind: "web",
      url,
      publishedAt: null,
      foundBy: "pages",
      contentHash: null,
      title: `The lamp of ${topic} ${attack.text.slice(0, 300)}`.toWellFormed(),
      snippet: `${quoteOf(topic)}. ${attack.text} ${said}`.slice(0, MAX_SNIPPET).toWellFormed(),
    };
  };
  return {
    id: "pages",
    kind: "web",
    title: "pages",
    search: finding(({ text }) => {
      const group = groupOf(text);
      return (group?.attacks ?? []).map((attack, i) => hitOf(attack, i, group?.topic ?? ""));
    }),
  };
}

function lookup(groupOf: (text: string) => AttackGroup | undefined): Tool {
  const schema = z.strictObject({ query: z.string() });
  return {
    name: "lookup",
    description: "Looks up what a lamp burns.",
    kind: "query",
    schema,
    timeoutMs: 5_000,
    async call(input) {
      const { topic = "", attacks = [] } = groupOf(schema.parse(input).query) ?? {};
      const text = attacks.map((attack) => attack.text).join("\n\n");
      const snippet = text.slice(0, MAX_SNIPPET).toWellFormed();
      const source = { title: `Looked up: ${topic}`, url: `https://lookup.example/${topic}`, publishedAt: null };
      return { text: `${quoteOf(topic)}.\n${text}`, sources: [{ ...source, snippet, text: `${quoteOf(topic)}.\n\n${text}` }] };
    },
  };
}

/** Makes a tool that is registered, but outside every run's scope. */
function forbidden(name: string, ran: string[]): Tool {
  return {
    name,
    description: name,
    kind: "mutation",
    schema: z.looseObject({}),
    timeoutMs: 1_000,
    async call() {
      ran.push(name);
      return { text: "done", sources: [] };
    },
  };
}

async function listen(heard: string[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.end("The canary heard you.");
  });
  server.on("connection", () => heard.push("a connection"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function runAttacks({ runs }: Dossier, { topic }: AttackGroup, graph: string): Promise<AttackRun> {
  const request = ResearchRequestSchema.parse({ question: `What does the lamp of ${topic} burn?`, graph });
  const signal = AbortSignal.timeout(RUN_TIMEOUT_MS);
  const { id } = await runs.start(TENANT, request);
  const run = await runs.wait(TENANT, id, { timeoutMs: RUN_TIMEOUT_MS, signal });
  const events: RunEvent[] = [];
  for await (const page of runs.follow(TENANT, id, { after: 0, signal, heartbeatMs: 1_000 })) events.push(...(page ?? []));
  const recording = (await Array.fromAsync(runs.recording(TENANT, id))).join("");
  const hashes = new Set(run.report?.citations.map(({ contentHash }) => contentHash));
  const texts = await Promise.all(
    [...hashes].map(async (hash): Promise<[string, string]> => [hash, (await runs.document(TENANT, id, hash)).text]),
  );
  return { run, events, recording, texts: new Map(texts) };
}
