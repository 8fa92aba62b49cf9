import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Parts } from "../src/compose/parts.ts";
import { compose, type Dossier } from "../src/compose.ts";
import { readConfig } from "../src/config.ts";
import { mergeFindings } from "../src/domain/citations.ts";
import { sourceIdOf } from "../src/domain/hit.ts";
import { type PlannedTodo, PlannedTodoSchema } from "../src/domain/plan.ts";
import type { Assessment } from "../src/domain/ports/analyst.ts";
import type { Effects } from "../src/domain/ports/effects.ts";
import { ResearchRequestSchema } from "../src/domain/request.ts";
import { createExtractiveAnalyst } from "../src/quoting/analyst.ts";
import { finding } from "../test/helpers/search-answer.ts";

// Compares the time of a plan of six todos with its critical path. bench/README.md explains the result.

const MODEL_MS = 300;
const SOURCE_MS = 200;
const ROUNDS = 5;
const MAX_RATIO = 1.1;
const TENANT = "default";
/** One todo: decision, search, text, assessment. */
const TODO_MS = 3 * MODEL_MS + SOURCE_MS;
/** Plan, two todos one after the other, verdict, summary. */
const CRITICAL_MS = MODEL_MS + 2 * TODO_MS + 2 * MODEL_MS;

const TODOS = 6;

/** Plans four todos that can run in parallel, and two that depend on one each. The question makes decisions of each run differ: equal ones are memoized. */
function planFor(question: string): PlannedTodo[] {
  const todo = (id: string, dependsOn: string[] = []) =>
    PlannedTodoSchema.parse({ id, description: `What burns in lamp ${id} of ${question}?`, dependsOn });
  return [todo("T1"), todo("T2"), todo("T3"), todo("T4"), todo("T5", ["T1"]), todo("T6", ["T2"])];
}

/** Waits as long as a model call, through the journal, and returns `result`. */
async function simulateCall<T>(request: string, effects: Effects, result: () => T | Promise<T>): Promise<T> {
  const live = async () => {
    await pause(MODEL_MS);
    return null;
  };
  await effects.perform({ kind: "memo", request: { call: request }, timeoutMs: 10_000, live });
  return result();
}

const COMPLETED: Assessment = { taskCompleted: true, shouldContinue: false, nextAction: "complete", summary: "", nextQuery: null };

function createParts(): Parts {
  const rules = createExtractiveAnalyst();
  return {
    tools: [],
    analyst: {
      name: "slow",
      decide: (view, effects) => simulateCall("decide", effects, () => rules.decide(view, effects)),
      write: (view, effects) => simulateCall("write", effects, () => rules.write(view, effects)),
    },
    research: {
      plan: ({ question }, effects) =>
        simulateCall("plan", effects, () => ({ todos: planFor(question), needsMorePlanning: false, question: null })),
      assess: (_, effects) => simulateCall("assess", effects, () => COMPLETED),
      verify: (_, effects) => simulateCall("verify", effects, () => ({ allCompleted: true, overallFeedback: "", tasks: [] })),
      summarize: ({ executed }, effects) =>
        simulateCall("summarize", effects, () => ({ ...mergeFindings(executed.map(({ findings }) => findings)) })),
    },
    sources: [
      {
        id: "lamps",
        kind: "web",
        title: "Lamps",
        search: finding(async ({ text }) => {
          await pause(SOURCE_MS);
          const url = `corpus:${encodeURIComponent(text)}`;
          const found = { kind: "web" as const, url, publishedAt: null, foundBy: "lamps", contentHash: null };
          return [{ id: sourceIdOf(url), title: text, snippet: `${text.slice(11, -1)} burns whale oil.`, ...found }];
        }),
      },
    ],
  };
}

/** Executes one run and returns its milliseconds. */
async function measure({ runs }: Dossier, round: number): Promise<number> {
  const before = performance.now();
  const request = { question: `harbor ${round}`, graph: "research", sources: ["lamps"] };
  const { id } = await runs.start(TENANT, ResearchRequestSchema.parse(request));
  const run = await runs.wait(TENANT, id, { timeoutMs: 60_000, signal: new AbortController().signal });
  const completed = run.todos?.filter(({ status }) => status === "completed").length;
  if (completed !== TODOS)
    throw new Error(`${completed} of ${TODOS} todos were completed: ${JSON.stringify(run.error ?? run.termination)}`);
  return performance.now() - before;
}

const home = await mkdtemp(join(tmpdir(), "dossier-bench-"));
await mkdir(join(home, "corpus"));
const config = readConfig({ DATA_DIR: join(home, "data"), CORPUS_DIR: join(home, "corpus"), LOG_LEVEL: "silent" });
const dossier = await compose(config, createParts());
try {
  await measure(dossier, 0);
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) times.push(Math.round(await measure(dossier, round)));
  times.sort((a, b) => a - b);
  const median = times[Math.floor(ROUNDS / 2)] ?? 0;
  const ratio = Math.round((median / CRITICAL_MS) * 1_000) / 1_000;
  process.stdout.write(`${JSON.stringify({ criticalMs: CRITICAL_MS, medianMs: median, worstMs: times.at(-1), ratio, most: MAX_RATIO })}\n`);
  if (ratio > MAX_RATIO) process.exitCode = 1;
} finally {
  await dossier.close(0);
  await rm(home, { recursive: true, force: true });
}
