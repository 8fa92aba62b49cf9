import { DOWNLOADS_PER_PLACE, documentsOfDepth } from "../domain/depth.ts";
import { failureCodeOf } from "../domain/failures.ts";
import { DOCUMENTS_SOURCE, type Hit, type RankedHit, rankAlone } from "../domain/hit.ts";
import { hashJson } from "../domain/json.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { SemanticRanker } from "../domain/ports/models.ts";
import type { LedgerEntry } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { RANKING, RELEVANCE } from "../ranking/compute-hits.ts";
import { cutForMeaning, fuseSemantic, SEMANTIC_DEPTH, semanticText } from "../ranking/rank-hits.ts";
import { judgesByWords, MIN_RELEVANCE, type RunQueries } from "../ranking/relevance.ts";
import { datedFirst, leaveOutOlder } from "./dates.ts";
import { splitGiven } from "./given-material.ts";
import { asReadByThread, threadHits } from "./thread.ts";

/** Documents of the user that are read if none of them is relevant. */
const GIVEN_KEPT = 3;
/** Ranks before everything that is found now. */
const FIRST = 1;
/** So many hits are read, in one round. */
export const KEEP = 12;

export interface RankDeps {
  readonly semantic: SemanticRanker | null;
}

interface RankContext {
  readonly task: Task;
  readonly question: string;
  /** A hit must be relevant to one of these texts. If absent, irrelevant hits are kept. */
  readonly queries: RunQueries | undefined;
  readonly keep: number;
  readonly timeoutMs: number;
  readonly effects: Effects;
}

const SEMANTIC_TIMEOUT_MS = 10_000;

/**
 * Ranks what was published since the user's `since`. What has no date comes after what has one; the ledger says what is left out. A page
 * may turn out to be older when it is read, so the next best `keep` hits are spare.
 */
async function rankSourced(found: readonly Hit[], deps: RankDeps, context: ThreadContext) {
  const { since } = context.task;
  if (since === undefined) return { ...(await rankByAll(found, deps, context)), spare: [] };
  const { hits, entries: older } = leaveOutOlder(found, since);
  const { ranked, entries } = await rankByAll(hits, deps, { ...context, keep: hits.length });
  const ordered = datedFirst(ranked);
  const [kept, spare] = [ordered.slice(0, context.keep), ordered.slice(context.keep, DOWNLOADS_PER_PLACE * context.keep)];
  return { ranked: kept, spare, entries: [...older, ...entries] };
}

interface ThreadContext extends RankContext {
  /** Of earlier runs, and not found by this one. */
  readonly unfound: ReadonlySet<Hit>;
}

/**
 * Returns the addresses that the user gave, then the best `keep` relevant documents of the thread, then the best `keep` relevant hits of
 * the sources; the next best hits are `spare`, and `left` more documents are not read. What earlier runs of the thread cited is a candidate
 * too (`recalled`). It comes first if a model judges what the sources found; a rule cannot know whether the new question is about the same.
 */
export async function rankFound(hits: readonly Hit[], deps: RankDeps, context: RankContext) {
  const { urls, documents, found } = splitGiven(hits);
  const { queries, keep } = context;
  const wanted = documents.length === 0 ? [] : await rankDocuments(documents, context);
  const given = wanted.slice(0, keep);
  const earlier = threadHits(context.task).filter(({ id }) => !urls.some((url) => url.id === id));
  const known = new Set(earlier.map(({ id }) => id));
  const again = new Set(found.map(({ id }) => id));
  const unfound = new Set(earlier.filter(({ id }) => !again.has(id)));
  const { ranked, spare, entries } = await rankSourced([...earlier, ...found.filter(({ id }) => !known.has(id))], deps, {
    ...context,
    unfound,
  });
  // A thread may have been about something else, so half of the places are for what is found now.
  const places = Math.floor(Math.min(keep, documentsOfDepth(context.task)) / 2);
  const ofThread = ranked.filter(({ id }) => known.has(id)).slice(0, places);
  const recalled = earlier.filter(({ id }) => ofThread.some((hit) => hit.id === id));
  const first = (hits: readonly RankedHit[]): RankedHit[] => hits.map((hit) => ({ ...hit, score: FIRST }));
  const now = ranked.filter(({ id }) => !known.has(id));
  const others = queries === undefined ? ranked.filter((hit) => now.includes(hit) || ofThread.includes(hit)) : [...first(ofThread), ...now];
  return {
    ranked: [...urls.map((hit) => rankAlone(hit, FIRST)), ...first(given), ...asReadByThread(others, context.task)],
    spare: spare.filter(({ id }) => !known.has(id)),
    recalled,
    entries,
    left: wanted.slice(keep).length,
  };
}

/**
 * Ranks the relevant documents of the user, then those that words cannot judge. What the user gave is what the question is about, also if it
 * has no word of "Summarize this".
 */
async function rankDocuments(documents: readonly Hit[], { question, queries, effects }: RankContext) {
  const keep = documents.length;
  const ranked = await effects.compute(RANKING, { question, keep, ...(queries && { relevantTo: queries.all }) }, documents);
  const relevant = ranked.filter(({ isUnjudged }) => isUnjudged !== true);
  const all = queries === undefined ? ranked : await effects.compute(RANKING, { question, keep }, documents);
  const best = relevant.length > 0 ? relevant : all.slice(0, GIVEN_KEPT);
  const judges = judgesByWords(queries?.all ?? []);
  const unjudged = all.filter(({ id, title, snippet }) => !best.some((hit) => hit.id === id) && !judges(`${title} ${snippet}`));
  return [...best, ...(queries === undefined ? [] : unjudged)];
}

/** Says how many documents of the user would be read if more could be. */
export function unreadDocuments(left: number, { question: target }: Task): LedgerEntry[] {
  if (left === 0) return [];
  const detail = `At most ${KEEP} documents of the user are read at once; not read: ${left}.`;
  return [{ what: "rerank", source: DOCUMENTS_SOURCE, target, outcome: "found", results: KEEP, failure: null, detail, ms: 0 }];
}

/**
 * Ranks the hits by their words and, if the task has a semantic ranking, combines both orders. Returns the best `keep` relevant hits. The
 * semantic scores decide which are relevant, or the words if there are no scores.
 */
async function rankByAll(hits: readonly Hit[], { semantic }: RankDeps, context: ThreadContext) {
  const { task, question, queries, keep, timeoutMs: leftMs, effects } = context;
  const { semantic: name } = task;
  const asked = { question, keep, ...(queries && { relevantTo: queries.all }) };
  const byWords = async (earlier: readonly LedgerEntry[] = []) => {
    const ranked = await effects.compute(RANKING, asked, await withoutOtherSubjects(hits, context));
    return { ranked, entries: [...earlier, ...(queries && hits.length > 0 ? wordsEntries(ranked, context) : [])] };
  };
  if (name === undefined) return byWords();
  const best = await effects.compute(RANKING, { question, keep: SEMANTIC_DEPTH }, hits);
  if (best.length < 2) return byWords();
  const timeoutMs = Math.max(0, Math.min(SEMANTIC_TIMEOUT_MS, leftMs));
  const { scores, entry } = await judgeByMeaning(best, { name, semantic, question, timeoutMs, effects });
  const isJudged = scores?.some((score) => score !== scores[0]) === true;
  return isJudged ? { ranked: fuseSemantic(best, scores, keep, queries !== undefined), entries: [entry] } : byWords([entry]);
}

/** Says that no hit is relevant by its words, or that words could not judge them. */
function wordsEntries(ranked: readonly RankedHit[], { task }: ThreadContext): LedgerEntry[] {
  const unjudged = ranked.filter(({ isUnjudged }) => isUnjudged === true);
  if (ranked.length > 0 && unjudged.length === 0) return [];
  const [outcome, detail] = ranked.length === 0 ? (["nothing", NONE_RELEVANT] as const) : (["found", UNJUDGED] as const);
  const { length: results } = unjudged;
  return [{ what: "rerank", source: "words", target: task.question, outcome, results, failure: null, detail, ms: 0 }];
}

export function isNothingRelevant(ledger: readonly LedgerEntry[]): boolean {
  return ledger.some(({ what, outcome }) => what === "rerank" && outcome === "nothing");
}

const NONE_RELEVANT = "None has enough words of the question or the queries, so none is read.";
const UNJUDGED = "Words cannot judge texts in other languages; the best are read unjudged.";

/** Leaves out documents of earlier runs that are about something else. The cut of the ranking judges hits by the earlier questions too. */
async function withoutOtherSubjects(hits: readonly Hit[], { queries, unfound, effects }: ThreadContext): Promise<Hit[]> {
  if (queries === undefined || unfound.size === 0) return [...hits];
  const relevance = await effects.compute(RELEVANCE, queries.own, hits);
  return hits.filter((hit, i) => !unfound.has(hit) || (relevance[i] ?? 0) >= MIN_RELEVANCE);
}

interface JudgeContext extends Pick<RankDeps, "semantic">, Pick<RankContext, "question" | "timeoutMs" | "effects"> {
  readonly name: string;
}

export async function judgeByMeaning(hits: readonly RankedHit[], context: JudgeContext) {
  const { name, question, timeoutMs, effects } = context;
  const startedAt = effects.now();
  const texts = hits.map(semanticText);
  const request = { ranker: name, question, texts: texts.map(hashJson) };
  const live = (signal: AbortSignal) => scoreTexts(texts, context, signal);
  const entry = { what: "rerank", source: name, target: question } as const;
  try {
    const scores: number[] = await effects.perform({ kind: "semantic", request, timeoutMs, live });
    const ms = effects.elapsedMs(startedAt);
    const found: LedgerEntry = { ...entry, outcome: "found", results: scores.length, failure: null, detail: null, ms };
    return { scores, entry: found };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const failure = failureCodeOf(cause, "unreachable");
    const message = `${cause.message} The hits are ranked by their words alone.`;
    effects.emit({ type: "rerank-failed", ranker: name, failure, message });
    const ms = effects.elapsedMs(startedAt);
    const failed: LedgerEntry = { ...entry, outcome: "failed", results: 0, failure, detail: message, ms };
    return { scores: null, entry: failed };
  }
}

async function scoreTexts(texts: readonly string[], { name, semantic, question, timeoutMs }: JudgeContext, signal: AbortSignal) {
  if (timeoutMs === 0) throw new DossierError("timeout", "No time was left to rank the hits by meaning.");
  if (semantic?.name !== name) throw new DossierError("unreachable", `The ranking by ${name} is no longer configured.`);
  return semantic.score(cutForMeaning(question), texts, signal);
}
