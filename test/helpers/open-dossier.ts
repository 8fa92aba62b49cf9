import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { VERIFIER } from "../../src/analyst/research-roles.ts";
import type { Parts } from "../../src/compose/parts.ts";
import { createWorkerPool } from "../../src/compose/worker-pool.ts";
import { compose, type Dossier } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createIsolatedExtractor } from "../../src/documents/isolation/isolated-extractor.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import { type ResearchRequest, ResearchRequestSchema } from "../../src/domain/request.ts";
import type { Run } from "../../src/domain/run.ts";
import { TIME_LIMITS } from "../../src/network/send-request.ts";
import { localScope } from "./local-scope.ts";

export const TENANT = "default";

/** A small corpus in English and Chinese. */
export const CORPUS: Readonly<Record<string, string>> = {
  "lighthouse.md":
    "# The lighthouse of Aldermoor\n\nThe lighthouse of Aldermoor was built in 1874 by Ada Penrose. Its lamp burns whale oil and can be seen from thirty kilometres away.\n\nThe keeper of the lighthouse climbs two hundred and twelve steps every evening. In winter the keeper lights the lamp at four in the afternoon.\n",
  "harbour.txt":
    "The harbour of Aldermoor freezes over in January.\n\nAda Penrose also designed the harbour wall, which is made of granite from Tolmere.\n",
  "zh/灯塔.md":
    "# 奥尔德穆尔灯塔\n\n奥尔德穆尔灯塔建于1874年，由艾达·彭罗斯设计。灯塔的灯使用鲸油，三十公里外都能看见。\n\n守塔人每天傍晚要爬二百一十二级台阶。\n",
};

/** Reads documents in real child processes, which the tests share and which end when they are idle. */
const extractor = createIsolatedExtractor();
/** Threads for heavy work, which the tests share too: a thread needs longer for loading its modules than most tests for all they do. */
const workers = createWorkerPool(2);

export interface OpenOptions {
  readonly parts?: Parts;
  readonly environment?: Readonly<Record<string, string>>;
  readonly corpus?: Readonly<Record<string, string>>;
  /** The folder of an earlier process, to continue with. */
  readonly dir?: string;
}

export interface TestDossier extends Dossier {
  readonly dir: string;
  start(request: Partial<ResearchRequest> & { question: string }): Promise<Run>;
  finish(runId: string): Promise<Run>;
  events(runId: string): Promise<RunEvent[]>;
  recordingLines(runId: string): Promise<string[]>;
}

/** The real program with one judge in a temporary folder, closed when the test has finished. */
export async function openDossier({ parts = {}, environment = {}, corpus = CORPUS, dir }: OpenOptions = {}): Promise<TestDossier> {
  const home = dir ?? (await makeHome(corpus));
  if (dir === undefined) onTestFinished(() => rm(home, { recursive: true, force: true }));
  const config = readConfig({
    DATA_DIR: join(home, "data"),
    CORPUS_DIR: join(home, "corpus"),
    LOG_LEVEL: "silent",
    SOURCES: localScope(parts),
    ...environment,
  });
  const dossier = await compose(config, {
    ...{ extractor, workers },
    judges: [VERIFIER],
    ...parts,
    network: { limits: { ...TIME_LIMITS, paced: false }, ...parts.network },
  });
  let closed = false;
  const close: Dossier["close"] = async (timeoutMs) => {
    if (!closed) await dossier.close(timeoutMs);
    closed = true;
  };
  onTestFinished(() => close(0));
  // A search answers from the files that are indexed after 15 s, which a busy machine may need for three of them.
  const isSearched = parts.extractor === undefined && config.SOURCES?.includes("corpus") !== false;
  if (isSearched) await dossier.prepare(new AbortController().signal).catch(() => undefined);
  const { runs } = dossier;
  return {
    ...dossier,
    dir: home,
    close,
    start: (request) => runs.start(TENANT, ResearchRequestSchema.parse(request)),
    finish: (runId) => runs.wait(TENANT, runId, { timeoutMs: 600_000, signal: new AbortController().signal }),
    events: (runId) => collectEvents(dossier, runId),
    recordingLines: (runId) => Array.fromAsync(runs.recording(TENANT, runId)),
  };
}

/** Makes a folder with a corpus; the caller removes it. */
export async function makeHome(corpus: Readonly<Record<string, string>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "dossier-test-"));
  for (const [name, text] of Object.entries(corpus)) {
    const file = join(home, "corpus", name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return home;
}

/** Returns all events of a run, until it has ended or waits. */
export async function collectEvents({ runs }: Dossier, runId: string): Promise<RunEvent[]> {
  const stop = new AbortController();
  const events: RunEvent[] = [];
  for await (const page of runs.follow(TENANT, runId, { after: 0, signal: stop.signal, heartbeatMs: 1_000 })) {
    events.push(...(page ?? []));
    if (events.at(-1)?.type === "run-waiting") stop.abort();
  }
  return events;
}
