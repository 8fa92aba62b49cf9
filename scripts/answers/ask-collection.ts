import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Dossier } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import type { Report } from "../../src/domain/report.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { corpusPath } from "../../src/tools/corpus/sync-corpus.ts";
import { type DocumentIds, writeCollection } from "./collections.ts";
import type { AnswerQuestion } from "./questions.ts";
import { type Grade, gradeAnswer, type ShownQuote } from "./score.ts";

export interface Graded {
  readonly question: AnswerQuestion;
  readonly grade: Grade;
  readonly shown: readonly ShownQuote[];
  readonly ms: number;
}

const TENANT = "default";
const INDEXING_MS = 600_000;
const RUN_MS = 60_000;
const CLOSE_MS = 5_000;

/** Runs the service without a model over the documents of one collection, and grades its answer to each question. */
export async function askCollection(name: string, data: string, questions: readonly AnswerQuestion[]): Promise<Graded[]> {
  const home = await mkdtemp(join(tmpdir(), "dossier-answers-"));
  try {
    const folder = join(home, "corpus");
    const ids = await writeCollection(name, data, folder);
    const settings = { DATA_DIR: join(home, "data"), CORPUS_DIR: folder, LOG_LEVEL: "silent", SOURCES: "corpus" };
    const dossier = await compose(readConfig(settings));
    try {
      await dossier.prepare(AbortSignal.timeout(INDEXING_MS));
      const graded: Graded[] = [];
      for (const question of questions) graded.push(await ask(dossier, question, ids));
      return graded;
    } finally {
      await dossier.close(CLOSE_MS);
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function ask({ runs }: Dossier, question: AnswerQuestion, ids: DocumentIds): Promise<Graded> {
  const since = performance.now();
  const started = await runs.start(TENANT, ResearchRequestSchema.parse({ question: question.question, sources: ["corpus"] }));
  const { report } = await runs.wait(TENANT, started.id, { timeoutMs: RUN_MS, signal: AbortSignal.timeout(RUN_MS) });
  const shown = report === null ? [] : quotesIn(report, ids);
  return { question, grade: gradeAnswer(question, shown), shown, ms: Math.round(performance.now() - since) };
}

/** Returns the quotes of the report's claims, in the order of the report. */
function quotesIn({ claims, citations, sources }: Report, ids: DocumentIds): ShownQuote[] {
  return claims.map((claim) => {
    const cited = citations.filter(({ id }) => claim.citations.includes(id));
    const url = sources.find(({ id }) => id === cited[0]?.sourceId)?.url ?? "";
    return { document: ids.get(corpusPath(url) ?? "") ?? "", quote: cited.map(({ quote }) => quote).join("\n") };
  });
}
