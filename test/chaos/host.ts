// A process that continues its folder's run, or starts it, and may die on the way: node host.ts '{"scenario","home","serverUrl","kill"}'.
import { writeFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Parts } from "../../src/compose/parts.ts";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createExtractor } from "../../src/documents/extract.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { type ErrorCode, toDossierError } from "../../src/errors.ts";
import { localScope } from "../helpers/local-scope.ts";
import { waitForFaults } from "./fault-at.ts";
import { ANSWER, graphParts, TEAM } from "./graph-parts.ts";
import { MARKS, mutationParts } from "./mutation-parts.ts";
import { EDITED, researchParts, shareParts } from "./research-parts.ts";
import { defineTalking } from "./talking-graph.ts";
import { QUESTION, scenarioParts } from "./tool-parts.ts";

export interface HostOptions {
  readonly scenario: "tools" | "mutation" | "sudden-mutation" | "model" | "executor" | "agent" | "research" | "team" | "share" | "web";
  readonly home: string;
  readonly serverUrl: string;
  /** The PostgreSQL database that has the runs. Without one, they are in the folder. */
  readonly database?: string | undefined;
  /** What leads to the model, if it is not one of OpenAI's protocol. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /**
   * Die this many turns of the event loop after the nth event of this type (and node) was emitted; after `run-waiting` only once it is
   * stored.
   */
  readonly kill?: { readonly type: string; readonly node?: string; readonly nth: number; readonly turns: number };
  /** Wait after these statements of the work until the test has caused a fault. */
  readonly faults?: readonly number[] | undefined;
}

const TENANT = "default";
const options: HostOptions = JSON.parse(process.argv[2] ?? "{}");
const tell = (word: string): void => void process.stdout.write(`${word}\n`);

function dieAfter(turns: number): void {
  if (turns === 0) process.kill(process.pid, "SIGKILL");
  else setImmediate(() => dieAfter(turns - 1));
}

function killer({ kill }: HostOptions): NonNullable<Parts["onEvent"]> {
  let seen = 0;
  return (_, event, node) => {
    if (kill === undefined || kill.type === "run-waiting" || event.type !== kill.type || node !== (kill.node ?? node)) return;
    seen += 1;
    if (seen === kill.nth) dieAfter(kill.turns);
  };
}

function partsFor({ scenario, serverUrl, home }: HostOptions): Parts {
  if (scenario === "tools") return scenarioParts(serverUrl);
  if (scenario === "mutation") return mutationParts(serverUrl, null);
  if (scenario === "sudden-mutation") return mutationParts(serverUrl, join(home, MARKS));
  if (scenario === "research") return researchParts(serverUrl);
  if (scenario === "share") return shareParts();
  if (scenario === "web") return {};
  if (scenario !== "model") return graphParts();
  return { graphs: [(storage) => defineTalking(serverUrl)(storage.checkpoints)] };
}

/** Asks again while the database refuses. The answer of a client may be stored although it learns of an error: `done` then says so. */
async function insist<T>(ask: () => Promise<T>): Promise<T>;
async function insist<T>(ask: () => Promise<T>, done: ErrorCode): Promise<T | undefined>;
async function insist<T>(ask: () => Promise<T>, done?: ErrorCode): Promise<T | undefined> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { code } = toDossierError(error);
      if (code === done) return undefined;
      if (code !== "storage_unavailable") throw error;
      await nextTurn();
    }
  }
}

const asksModel = ["executor", "agent", "team", "share"].includes(options.scenario);
const parts = partsFor(options);
const config = readConfig({
  DATA_DIR: join(options.home, "data"),
  CORPUS_DIR: join(options.home, "corpus"),
  LOG_LEVEL: "silent",
  SOURCES: localScope(parts),
  ...(options.database !== undefined && { DATABASE_URL: options.database }),
  ...(options.scenario === "web" && {
    SOURCES: "searxng",
    SEARXNG_BASE_URL: options.serverUrl,
    ALLOWED_PRIVATE_HOSTS: new URL(options.serverUrl).host,
  }),
  ...(asksModel && (options.settings ?? { OPENAI_BASE_URL: options.serverUrl, OPENAI_MODEL: "scripted" })),
});
// The corpus is read in this process: it is then indexed early enough for a kill at every point of the run.
const extractor = options.scenario === "web" ? {} : { extractor: createExtractor() };
const dossier = await compose(config, { ...extractor, ...parts, onEvent: killer(options) });
// A killed process would not save its compile cache.
flushCompileCache();
tell("READY");
await dossier.recover();
const graphs: Partial<Record<HostOptions["scenario"], string>> = {
  model: "talking",
  agent: "agent",
  research: "research",
  team: "team",
  share: "research",
};
const request = {
  question: QUESTION,
  graph: graphs[options.scenario] ?? "executor",
  ...(options.scenario === "research" && { planApproval: true }),
  ...(options.scenario === "team" && { team: TEAM }),
  ...(options.scenario === "share" && { limits: { modelCalls: 10 } }),
};
if (options.faults !== undefined) waitForFaults(options.faults);
const run = await insist(() => dossier.runs.start(TENANT, ResearchRequestSchema.parse(request), { idempotencyKey: "the run" }));
let waits = 0;
const waitForEnd = () => insist(() => dossier.runs.wait(TENANT, run.id, { timeoutMs: 600_000, signal: new AbortController().signal }));
for (let seen = await waitForEnd(); seen.status === "waiting"; seen = await waitForEnd()) {
  tell("WAITING");
  waits += 1;
  if (options.kill?.type === "run-waiting" && options.kill.nth === waits) process.kill(process.pid, "SIGKILL");
  const answer = seen.pending[0]?.kind === "plan" ? { plan: EDITED } : { answer: ANSWER };
  await insist(() => dossier.runs.answer(TENANT, run.id, answer), "run_not_waiting");
}
const recording = await insist(() => Array.fromAsync(dossier.runs.recording(TENANT, run.id)));
await writeFile(join(options.home, "recording.ndjson"), recording);
await dossier.close(0);
tell("DONE");
