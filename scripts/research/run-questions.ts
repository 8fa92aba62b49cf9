import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Dossier } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import type { Run } from "../../src/domain/run.ts";
import type { ResearchQuestion } from "./questions.ts";

/** What became of one question. */
export interface Answered {
  readonly question: string;
  readonly kind: string;
  readonly ms: number;
  readonly todos: number;
  /** Those that were answered. */
  readonly completed: number;
  /** How often todos were executed, all together. */
  readonly rounds: number;
  readonly citations: number;
  readonly documents: number;
  /** Citations whose quote does not stand where they say. */
  readonly broken: number;
  /** How many of the words that were expected are quoted, and how many there are. */
  readonly quoted: number;
  readonly expected: number;
  readonly status: string;
  readonly termination: string;
}

const TENANT = "default";
const RUN_MS = 120_000;
const CLOSE_MS = 5_000;

/** Asks the questions one after another of the whole service over the corpus alone, without a model. */
export async function runQuestions(questions: readonly ResearchQuestion[], corpusDir: string, graph: string): Promise<Answered[]> {
  const home = await mkdtemp(join(tmpdir(), "dossier-research-"));
  try {
    const config = readConfig({ DATA_DIR: home, CORPUS_DIR: corpusDir, LOG_LEVEL: "silent", SOURCES: "corpus" });
    const dossier = await compose(config);
    try {
      await dossier.prepare(AbortSignal.timeout(RUN_MS));
      const answered: Answered[] = [];
      for (const question of questions) answered.push(await ask(dossier, question, graph));
      return answered;
    } finally {
      await dossier.close(CLOSE_MS);
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function ask({ runs }: Dossier, { question, kind, answers }: ResearchQuestion, graph: string): Promise<Answered> {
  const since = performance.now();
  const started = await runs.start(TENANT, ResearchRequestSchema.parse({ question, graph }));
  const run = await runs.wait(TENANT, started.id, { timeoutMs: RUN_MS, signal: AbortSignal.timeout(RUN_MS) });
  const ms = Math.round(performance.now() - since);
  const citations = run.report?.citations ?? [];
  const broken = await Promise.all(
    citations.map(async ({ contentHash, start, end, quote }) => {
      const { text } = await runs.document(TENANT, run.id, contentHash);
      return text.slice(start, end) === quote ? 0 : 1;
    }),
  );
  return {
    ...{ question, kind, ms, ...countTodos(run) },
    citations: citations.length,
    documents: new Set(citations.map(({ contentHash }) => contentHash)).size,
    broken: broken.reduce<number>((sum, one) => sum + one, 0),
    quoted: answers.filter((answer) => citations.some(({ quote }) => quote.includes(answer))).length,
    expected: answers.length,
    status: run.status,
    termination: run.termination?.reason ?? "none",
  };
}

function countTodos({ todos }: Run): Pick<Answered, "todos" | "completed" | "rounds"> {
  const all = todos ?? [];
  return {
    todos: all.length,
    completed: all.filter(({ status }) => status === "completed").length,
    rounds: all.reduce((sum, { rounds }) => sum + rounds, 0),
  };
}
