import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Dossier } from "../src/compose.ts";
import { readConfig } from "../src/config.ts";
import { ResearchRequestSchema } from "../src/domain/request.ts";
import { TIME_LIMITS } from "../src/network/send-request.ts";
import { openModelServer } from "../test/fakes/model-server/serve.ts";
import { DEEP, deepScript, HARBOURS, settingsOf, startWorld } from "../test/graphs/research/deep-world.ts";

// Compares the time of a deep run of eight todos over 80 pages with its critical path, and what it uses with what was estimated. bench/README.md
// explains the result.

const MODEL_MS = 2_000;
const WEB_MS = 300;
const ROUNDS = 3;
const MAX_RATIO = 1.1;
const PARALLEL_TODOS = 4;
const TENANT = "default";
/** A todo: two pages of search results, download, notes, assessment. */
const TODO_MS = 3 * WEB_MS + 2 * MODEL_MS;
/** Plan, todos four at a time, verdict, outline, sections. */
const CRITICAL_MS = MODEL_MS + Math.ceil(HARBOURS.length / PARALLEL_TODOS) * TODO_MS + 3 * MODEL_MS;

async function measure({ runs }: Dossier, round: number) {
  const before = performance.now();
  const request = ResearchRequestSchema.parse({ ...DEEP, question: `${DEEP.question} (${round})` });
  const { modelCalls, documents, tokens } = await runs.estimate(TENANT, request);
  const { id } = await runs.start(TENANT, request);
  const run = await runs.wait(TENANT, id, { timeoutMs: 120_000, signal: new AbortController().signal });
  if (run.termination?.reason !== "completed") throw new Error(`The run ended with ${JSON.stringify(run.error ?? run.termination)}.`);
  return { ms: Math.round(performance.now() - before), usage: run.usage, estimated: { modelCalls, documents, tokens } };
}

const home = await mkdtemp(join(tmpdir(), "dossier-bench-"));
const web = await startWorld(WEB_MS);
const model = await openModelServer(deepScript(MODEL_MS));
const settings = { ...settingsOf(web.url), OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-bench", OPENAI_MODEL: "writer" };
const config = readConfig({ DATA_DIR: join(home, "data"), CORPUS_DIR: home, LOG_LEVEL: "silent", ...settings });
const dossier = await compose(config, { tools: [], network: { limits: { ...TIME_LIMITS, paced: false } } });
try {
  await measure(dossier, 0);
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) measured.push(await measure(dossier, round));
  measured.sort((a, b) => a.ms - b.ms);
  const median = measured[Math.floor(ROUNDS / 2)];
  const { modelCalls, inputTokens, outputTokens, downloads } = median?.usage ?? {};
  const ratio = Math.round(((median?.ms ?? 0) / CRITICAL_MS) * 1_000) / 1_000;
  const result = {
    criticalMs: CRITICAL_MS,
    medianMs: median?.ms,
    ratio,
    most: MAX_RATIO,
    modelCalls,
    inputTokens,
    outputTokens,
    downloads,
    estimated: median?.estimated,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (ratio > MAX_RATIO) process.exitCode = 1;
} finally {
  await dossier.close(0);
  await model.close();
  await web.close();
  await rm(home, { recursive: true, force: true });
}
