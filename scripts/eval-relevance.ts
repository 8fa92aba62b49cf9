// Measures the cut-off of irrelevant passages and hits: npm run -s eval:relevance -- --data DIR [--half even|odd]
// DIR holds extraction/ and retrieval/. The questions are in scripts/expectations/relevance.json.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { selectPassages } from "../src/analyst/model/passages.ts";
import { estimateTokens } from "../src/domain/chat.ts";
import type { Hit } from "../src/domain/hit.ts";
import type { Reading, WritingView } from "../src/domain/ports/analyst.ts";
import type { Evidence } from "../src/evidence/quote-location.ts";
import { rankHits } from "../src/ranking/rank-hits.ts";
import { type RelevanceQuestion, readMixedPages, readRelevanceQuestions } from "./relevance/mixed-pages.ts";
import { readCmrc } from "./retrieval/cmrc.ts";
import { openCollection } from "./retrieval/collection-corpus.ts";
import { paragraphsOf, readHotpot } from "./retrieval/hotpot.ts";
import { mean } from "./retrieval/measures.ts";

/** The tokens that a run leaves for passages. */
const PASSAGE_TOKENS = 16_000;
const FENCE_TOKENS = 20;
/** The hits that a run takes of one source. */
const HITS = 20;
/** Measures every eighth question of CMRC, to save time. */
const CMRC_STEP = 8;
const SEARCH_MS = 60_000;

type IsAsked = (index: number) => boolean;

async function measurePassages(data: string, isAsked: IsAsked) {
  const readings = await readMixedPages(join(data, "extraction"));
  const questions = (await readRelevanceQuestions()).filter((_, i) => isAsked(i));
  const before = await sendAll(questions, readings, false);
  const after = await sendAll(questions, readings, true);
  return { pages: readings.length, questions: questions.length, before: summarize(before), after: summarize(after) };
}

interface Sent {
  readonly tokens: number;
  readonly hasAnswer: boolean;
}

async function sendAll(questions: readonly RelevanceQuestion[], readings: readonly Reading[], cuts: boolean): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const asked of questions) {
    const passages = await selectPassages(viewOf(asked, readings), PASSAGE_TOKENS, AbortSignal.timeout(SEARCH_MS), [], cuts);
    const tokens = passages.reduce((sum, passage) => sum + estimateTokens(textOf(passage)) + FENCE_TOKENS, 0);
    sent.push({ tokens, hasAnswer: passages.some((passage) => answers(passage, asked)) });
  }
  return sent;
}

function viewOf({ question, queries }: RelevanceQuestion, readings: readonly Reading[]): WritingView {
  const limits = { optionalToolLoops: 0, steps: 0, modelCalls: 0, tokens: 0, costUsd: null, seconds: 0, downloads: 0 };
  const task = { question, today: "2026-08-01", language: "auto", systemContext: "", history: [], models: null, limits };
  return { ...task, readings, queries };
}

function textOf({ text, start, end }: Evidence): string {
  return text.slice(start, end);
}

/** Whether a passage overlaps the place of the answer. */
function answers({ sourceId, text, start, end }: Evidence, { page, says }: RelevanceQuestion): boolean {
  const at = sourceId === page ? text.indexOf(says) : -1;
  return at >= 0 && start < at + says.length && at < end;
}

function summarize(sent: readonly Sent[]) {
  const tokens = Math.round(mean(sent.map((one) => one.tokens)));
  return { tokens, recall: short(mean(sent.map(({ hasAnswer }) => Number(hasAnswer)))) };
}

/** Shares of all hits of all questions: of those that answer, the kept ones, and of the others, the dropped ones. */
class HitShares {
  readonly #answering: number[] = [];
  readonly #others: number[] = [];

  add(question: string, hits: readonly Hit[], isAnswer: (hit: Hit) => boolean): void {
    const query = { question, language: "auto", keep: HITS };
    const kept = new Set(rankHits({ ...query, relevantTo: [question] }, hits).map(({ id }) => id));
    for (const hit of rankHits(query, hits)) (isAnswer(hit) ? this.#answering : this.#others).push(Number(kept.has(hit.id)));
  }

  get shares() {
    return { answeringKept: short(mean(this.#answering)), othersDropped: short(1 - mean(this.#others)) };
  }
}

async function measureHotpot(data: string, isAsked: IsAsked) {
  const shares = new HitShares();
  const questions = await readHotpot(join(data, "retrieval/multihop/hotpot_distractor_200.jsonl"));
  for (const asked of questions.filter((_, i) => isAsked(i))) {
    const supporting = new Set(asked.supporting_facts.map(([title]) => title));
    const collection = await openCollection(paragraphsOf(asked, false));
    const context = { signal: AbortSignal.timeout(SEARCH_MS), scope: ["corpus"] };
    const search = collection.corpus.search({ text: asked.question, language: "auto", limit: HITS }, context);
    const hits = await search.finally(() => collection.close());
    shares.add(asked.question, hits, ({ url }) => supporting.has(collection.idOf(url)));
  }
  return shares.shares;
}

async function measureCmrc(data: string, isAsked: IsAsked) {
  const shares = new HitShares();
  const { passages, questions } = await readCmrc(join(data, "retrieval/zh/cmrc2018_dev.json"));
  const collection = await openCollection(passages);
  try {
    for (const { text, passage } of questions.filter((_, i) => i % CMRC_STEP === 0).filter((_, i) => isAsked(i))) {
      const context = { signal: AbortSignal.timeout(SEARCH_MS), scope: ["corpus"] };
      const hits = await collection.corpus.search({ text, language: "auto", limit: HITS }, context);
      shares.add(text, hits, ({ url }) => collection.idOf(url) === passage);
    }
  } finally {
    await collection.close();
  }
  return shares.shares;
}

function short(value: number): number {
  return Number(value.toFixed(3));
}

try {
  const { values } = parseArgs({ options: { data: { type: "string", default: "../shared/data" }, half: { type: "string" } } });
  const isAsked: IsAsked = (index) => values.half === undefined || (index % 2 === 0) === (values.half === "even");
  console.log(JSON.stringify({ passages: await measurePassages(values.data, isAsked) }));
  console.log(JSON.stringify({ hotpot: await measureHotpot(values.data, isAsked), cmrc: await measureCmrc(values.data, isAsked) }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
