// Measures the cut-off of irrelevant passages and hits, and when a search found nothing: npm run -s eval:relevance -- --data DIR [--half even|odd]
// DIR holds extraction/ and retrieval/. The questions are in scripts/expectations/relevance.json.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { estimateTokens } from "../src/domain/chat.ts";
import type { Hit } from "../src/domain/hit.ts";
import type { Reading, WritingView } from "../src/domain/ports/analyst.ts";
import type { Effects } from "../src/domain/ports/effects.ts";
import type { Evidence } from "../src/evidence/quote-location.ts";
import { bestCoverage } from "../src/ranking/query-coverage.ts";
import { rankHits } from "../src/ranking/rank-hits.ts";
import { selectPassages } from "../src/writing/passages.ts";
import { type RelevanceQuestion, readMixedPages, readRelevanceQuestions } from "./relevance/mixed-pages.ts";
import { readCmrc } from "./retrieval/cmrc.ts";
import { type CollectionCorpus, openCollection } from "./retrieval/collection-corpus.ts";
import { paragraphsOf, readHotpot } from "./retrieval/hotpot.ts";
import { mean } from "./retrieval/measures.ts";

/** The tokens that a run leaves for passages. */
const PASSAGE_TOKENS = 16_000;
const FENCE_TOKENS = 20;
/** The hits that a run takes of one source. */
const HITS = 20;
/** Measures every fifteenth page that does not answer, to save time. */
const OTHERS_STEP = 15;
/** Measures every eighth question of CMRC, to save time. */
const CMRC_STEP = 8;
const SEARCH_MS = 60_000;
/** Computes in this thread. */
const HERE: Pick<Effects, "compute"> = { compute: async ({ run }, ...input) => run(...input) };

type IsAsked = (index: number) => boolean;

async function measurePassages(data: string, isAsked: IsAsked) {
  const readings = await readMixedPages(join(data, "extraction"));
  const questions = (await readRelevanceQuestions()).filter((_, i) => isAsked(i));
  const before = await sendAll(questions, readings, false);
  const after = await sendAll(questions, readings, true);
  const alone = await sendAlone(questions, readings);
  return { pages: readings.length, questions: questions.length, before: summarize(before), after: summarize(after), alone };
}

/** For each question the page that answers alone, and others alone: the share that has nothing to send. */
async function sendAlone(questions: readonly RelevanceQuestion[], readings: readonly Reading[]) {
  const shares = new UnreadShares();
  for (const [i, asked] of questions.entries()) {
    for (const [at, reading] of readings.entries()) {
      const isAnswer = reading.hit.id === asked.page;
      if (!isAnswer && (at + i) % OTHERS_STEP !== 0) continue;
      const passages = await selectPassages(viewOf(asked, [reading]), PASSAGE_TOKENS, HERE);
      shares.add(isAnswer, passages.length);
    }
  }
  return shares.shares;
}

/** The share of questions for which nothing is left to read or to send: where the texts answer it, and where they do not. */
class UnreadShares {
  readonly #answered: number[] = [];
  readonly #unanswered: number[] = [];

  add(hasAnswer: boolean, kept: number): void {
    (hasAnswer ? this.#answered : this.#unanswered).push(Number(kept === 0));
  }

  get shares() {
    return { answered: short(mean(this.#answered)), unanswered: short(mean(this.#unanswered)) };
  }
}

interface Sent {
  readonly tokens: number;
  readonly hasAnswer: boolean;
}

async function sendAll(questions: readonly RelevanceQuestion[], readings: readonly Reading[], cuts: boolean): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const asked of questions) {
    const passages = await selectPassages(viewOf(asked, readings), PASSAGE_TOKENS, HERE, cuts);
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
    const { hits } = await search.finally(() => collection.close());
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
      const { hits } = await collection.corpus.search({ text, language: "auto", limit: HITS }, context);
      shares.add(text, hits, ({ url }) => collection.idOf(url) === passage);
    }
  } finally {
    await collection.close();
  }
  return shares.shares;
}

const LEVELS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7];

/** For each constant, the share of questions that would be searched again, where the texts have the answer and where they have not. */
class SecondLooks {
  readonly #answered: number[] = [];
  readonly #unanswered: number[] = [];
  readonly #unread = new UnreadShares();

  add(queries: readonly string[], hits: readonly Hit[], hasAnswer: boolean): void {
    const query = { question: queries.join("\n"), language: "auto", keep: HITS, relevantTo: queries };
    this.#unread.add(hasAnswer, rankHits(query, hits).length);
    (hasAnswer ? this.#answered : this.#unanswered).push(bestCoverage(queries, hits));
  }

  get shares() {
    const below = (level: number, all: readonly number[]): number => short(mean(all.map((coverage) => Number(coverage < level))));
    const { length: withAnswer } = this.#answered;
    const levels = LEVELS.map((level) => [level, { answered: below(level, this.#answered), unanswered: below(level, this.#unanswered) }]);
    return { withAnswer, withoutAnswer: this.#unanswered.length, unread: this.#unread.shares, ...Object.fromEntries(levels) };
  }
}

/** HotpotQA's questions over their own paragraphs, and over those of the next question but one. */
async function lookAgainHotpot(data: string, isAsked: IsAsked) {
  const looks = new SecondLooks();
  const questions = await readHotpot(join(data, "retrieval/multihop/hotpot_distractor_200.jsonl"));
  for (const [i, asked] of questions.entries()) {
    if (!isAsked(i)) continue;
    const other = questions[(i + 2) % questions.length] ?? asked;
    for (const [one, hasAnswer] of [
      [asked, true],
      [other, false],
    ] as const) {
      const collection = await openCollection(paragraphsOf(one, false));
      looks.add([asked.question], await searchHits(collection, asked.question).finally(() => collection.close()), hasAnswer);
    }
  }
  return looks.shares;
}

/** CMRC's questions over all passages, and over the passages without those that the question is about. */
async function lookAgainCmrc(data: string, isAsked: IsAsked) {
  const looks = new SecondLooks();
  const { passages, questions } = await readCmrc(join(data, "retrieval/zh/cmrc2018_dev.json"));
  const isOfHalf = (passage: string): boolean => passages.findIndex(({ id }) => id === passage) % 2 === 0;
  const asked = questions.filter((_, i) => i % CMRC_STEP === 0).filter((_, i) => isAsked(i));
  const [half, whole] = await Promise.all([openCollection(passages.filter(({ id }) => isOfHalf(id))), openCollection(passages)]);
  try {
    for (const { text, passage } of asked) {
      looks.add([text], await searchHits(whole, text), true);
      if (!isOfHalf(passage)) looks.add([text], await searchHits(half, text), false);
    }
  } finally {
    await half.close();
    await whole.close();
  }
  return looks.shares;
}

/** Questions and queries over the mixed pages, and over those without the page that answers. */
async function lookAgainPages(data: string, isAsked: IsAsked) {
  const looks = new SecondLooks();
  const readings = await readMixedPages(join(data, "extraction"));
  const documents = readings.map(({ hit, document }) => ({ id: hit.id, title: document.title, text: document.text }));
  const whole = await openCollection(documents);
  try {
    for (const { question, queries, page } of (await readRelevanceQuestions()).filter((_, i) => isAsked(i))) {
      for (const query of [question, ...queries]) looks.add([query], await searchHits(whole, query), true);
      const others = await openCollection(documents.filter(({ id }) => id !== page));
      for (const query of [question, ...queries]) looks.add([query], await searchHits(others, query), false);
      await others.close();
    }
  } finally {
    await whole.close();
  }
  return looks.shares;
}

async function searchHits({ corpus }: CollectionCorpus, text: string): Promise<readonly Hit[]> {
  const context = { signal: AbortSignal.timeout(SEARCH_MS), scope: ["corpus"] };
  return (await corpus.search({ text, language: "auto", limit: HITS }, context)).hits;
}

function short(value: number): number {
  return Number(value.toFixed(3));
}

try {
  const { values } = parseArgs({ options: { data: { type: "string", default: "../shared/data" }, half: { type: "string" } } });
  const isAsked: IsAsked = (index) => values.half === undefined || (index % 2 === 0) === (values.half === "even");
  console.log(JSON.stringify({ passages: await measurePassages(values.data, isAsked) }));
  console.log(JSON.stringify({ secondLook: { pages: await lookAgainPages(values.data, isAsked) } }));
  console.log(JSON.stringify({ secondLook: { hotpot: await lookAgainHotpot(values.data, isAsked) } }));
  console.log(JSON.stringify({ secondLook: { cmrc: await lookAgainCmrc(values.data, isAsked) } }));
  console.log(JSON.stringify({ hotpot: await measureHotpot(values.data, isAsked), cmrc: await measureCmrc(values.data, isAsked) }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
