import { languageOrScript, mayShareWords } from "./language.ts";
import type { HitTerms } from "./near-duplicates.ts";
import { hasContentTerms, queryTerms, weighQueryTerms } from "./query-terms.ts";
import { intersectionSize, type WeightedField } from "./scoring.ts";
import { STOP_TERMS } from "./stop-words.ts";
import { wordCountOf } from "./tokenize.ts";

/** A hit below it is neither read nor sent to a model, and a passage below it is not sent. Chosen on half of the questions: see `bench/retrieval.md`. */
export const MIN_RELEVANCE = 0.2;

/** In words. A shorter text cannot contain many terms of a query. */
const SHORT_TEXT = 8;

/**
 * Returns how relevant each text is to the query that fits it best, 0 to 1: the share of the query's terms that the text contains, weighted
 * by ln(1 + N / df), the smoothed inverse document frequency (Spärck Jones 1972), among these texts. A term in a field of a weight below 1
 * counts as that much of a term, and a term that no text contains does not count.
 */
export function judgeRelevance(queries: readonly string[], texts: readonly (readonly WeightedField[])[]): number[] {
  const weighed = queries.map(weighQueryTerms);
  const terms = [...new Set(weighed.flat().map(({ term }) => term))];
  const frequency = new Map<string, number>();
  const found: ReadonlyMap<string, number>[] = [];
  for (const fields of texts) {
    const own = presenceOf(terms, fields);
    for (const [term, presence] of own) frequency.set(term, (frequency.get(term) ?? 0) + presence);
    found.push(own);
  }
  const idf = (term: string): number => Math.log(1 + texts.length / (frequency.get(term) ?? Number.POSITIVE_INFINITY));
  const known = weighed.map((query) => query.map(({ term, weight }) => ({ term, weight: weight * idf(term) })));
  const totals = known.map((query) => query.reduce((sum, { weight }) => sum + weight, 0));
  return found.map((own) =>
    Math.max(
      0,
      ...known.map((query, i) => query.reduce((sum, { term, weight }) => sum + weight * (own.get(term) ?? 0), 0) / (totals[i] || 1)),
    ),
  );
}

function presenceOf(terms: readonly string[], fields: readonly WeightedField[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const term of terms) {
    const presence = fields.reduce((best, { terms, weight }) => (terms.counts.has(term) ? Math.max(best, Math.min(1, weight)) : best), 0);
    if (presence > 0) found.set(term, presence);
  }
  return found;
}

/** Judges hits by their titles and snippets. A short one may also be relevant by the share of its own terms that are in the queries. */
export function judgeHits(queries: readonly string[], hits: readonly HitTerms[]): number[] {
  const fields = hits.map(({ titleTerms, bodyTerms }) => [titleTerms, bodyTerms].map((terms) => ({ terms, weight: 1 })));
  const coverage = judgeRelevance(queries, fields);
  const asked = new Set(queries.flatMap(weighQueryTerms).map(({ term }) => term));
  return hits.map((hit, i) => Math.max(coverage[i] ?? 0, ownShare(hit, asked)));
}

/** A hit without words cannot be judged, so it is not dropped. */
function ownShare({ titleTerms, bodyTerms }: HitTerms, asked: ReadonlySet<string>): number {
  const own = new Set<string>();
  let words = 0;
  for (const { counts } of [titleTerms, bodyTerms]) {
    for (const term of counts.keys()) {
      if (own.has(term) || STOP_TERMS.has(term)) continue;
      own.add(term);
      words += wordCountOf([term]);
      if (words >= SHORT_TEXT) return 0;
    }
  }
  return own.size === 0 ? MIN_RELEVANCE : intersectionSize(own, asked) / own.size;
}

/** Judges by the scores of a semantic ranker, whose scale is unknown: 1 is the best of these texts, and 0 is 0 or the lowest score, if that is below 0. */
export function relevanceOfScores(scores: readonly number[]): number[] {
  const lowest = scores.reduce((low, score) => Math.min(low, score), 0);
  const range = scores.reduce((high, score) => Math.max(high, score), lowest) - lowest;
  return scores.map((score) => (range > 0 ? (score - lowest) / range : 0));
}

/** Unable to occur in texts, which are cut into pairs of characters. */
const LONE_IDEOGRAPH = /^\p{sc=Han}$/u;

function isFindable(query: string): boolean {
  const terms = queryTerms(query);
  return hasContentTerms(query) && terms.filter((term) => LONE_IDEOGRAPH.test(term)).length * 2 < terms.length;
}

/**
 * Returns a function that tells whether words can judge a text: a query has words that can be found, and may be in the language of the
 * text. If not, that it has no word of the queries says nothing.
 */
export function judgesByWords(queries: readonly string[]): (text: string) => boolean {
  const languages = queries.filter(isFindable).map(languageOrScript);
  return (text) => {
    const language = languageOrScript(text);
    return languages.some((one) => mayShareWords(one, language));
  };
}

interface Cut<T> {
  /** Whether the relevance of an item says something of it. */
  readonly isJudged: (item: T) => boolean;
  /** How many items that are not judged are kept if none is relevant. */
  readonly unjudged?: number;
  readonly isExempt?: (item: T) => boolean;
}

/** In hits. */
const UNJUDGED_KEPT = 3;

/**
 * Keeps those that `isExempt` and the relevant ones. If none of the others is relevant, keeps the best of those that are not judged.
 * `items` are sorted, best first.
 */
export function cutIrrelevant<T>(items: readonly T[], relevanceOf: (item: T) => number, cut: Cut<T>): T[] {
  const { isJudged, unjudged = UNJUDGED_KEPT, isExempt = () => false } = cut;
  const others = items.filter((item) => !isExempt(item));
  const relevant = others.filter((item) => relevanceOf(item) >= MIN_RELEVANCE);
  const kept = new Set(relevant.length > 0 ? relevant : others.filter((item) => !isJudged(item)).slice(0, unjudged));
  return items.filter((item) => isExempt(item) || kept.has(item));
}

/** In UTF-16 code units. The rest of a longer text is not compared. */
const MAX_QUERY = 4_000;

export interface RunQueries {
  /** The question, the earlier ones of the conversation, and the queries that a model wrote. */
  readonly all: readonly string[];
  /**
   * What is asked now, for documents of earlier runs, to which the earlier questions always fit: the queries that a model wrote, else the
   * question. Only a question without words of its own is joined with the earlier ones.
   */
  readonly own: readonly string[];
}

export function queriesOf(question: string, earlier: string, written: readonly string[]): RunQueries {
  const bounded = (texts: readonly string[]): string[] => [...new Set(texts.map((text) => text.slice(0, MAX_QUERY).toWellFormed()))];
  const whole = `${earlier} ${question}`;
  const asked = hasContentTerms(question) ? question : whole;
  const followUp = earlier === "" ? [] : [earlier, whole];
  return { all: bounded([question, ...followUp, ...written]), own: bounded(written.length > 0 ? written : [asked]) };
}
