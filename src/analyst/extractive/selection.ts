import { type Candidate, chooseDiverse, shingles } from "../../ranking/similarity.ts";
import type { Sentence } from "./passages.ts";
import { isQuotable } from "./quotable.ts";
import type { Scored } from "./scoring.ts";

const MAX_CLAIMS = 8;
/** Where titles led from one document to another, what is asked for stands in several sentences, each of which says little of it. */
const MAX_LINKED_CLAIMS = 10;
const LINKED_FLOOR = 0.25;
/** A long report begins with its best sentences: grouped among themselves, before what only fills in. */
const FIRST_CLAIMS = 5;
const MAX_PER_DOCUMENT = 7;
/** Shares of the best score below which a sentence is no longer worth its place: the first three are let in more easily. */
const FLOOR = 0.6;
const EASY_FLOOR = 0.4;
const EASY_CLAIMS = 3;
/** Relevance against novelty: mostly relevance, as each claim stands for itself. */
const LAMBDA = 0.75;
/** Two facts about one thing share most of their words. */
const LINKED_LAMBDA = 0.85;
/** The share of a wording that may be found in a claim already chosen. */
const DUPLICATE_AT = 0.75;

/**
 * The sentences a report is made of, in its reading order: the best and most different ones, list items with the
 * sentence that introduces them, grouped by subtopic, best group first, in the order of the document within a group. Up to eight; up to
 * ten, the best five before the others, where titles led from one document to another.
 */
export function selectSentences(scored: readonly Scored[]): Sentence[] {
  const headers = new Set(scored.map(({ sentence }) => sentence.header));
  const candidates = scored.filter(({ sentence, score }) => score > 0 && !headers.has(sentence) && isQuotable(sentence)).sort(byScore);
  const wide = candidates.some(({ linked }) => linked);
  const chosen = chooseDiverse(withinDocumentShare(aboveFloor(candidates, wide)).map(withWording), {
    limit: wide ? MAX_LINKED_CLAIMS : MAX_CLAIMS,
    lambda: wide ? LINKED_LAMBDA : LAMBDA,
    duplicate: DUPLICATE_AT,
  });
  const told = withLeadIns(chosen, scored);
  if (!wide) return inReadingOrder(told);
  const best = told.toSorted(byScore);
  return [best.slice(0, FIRST_CLAIMS), best.slice(FIRST_CLAIMS)].flatMap(inReadingOrder);
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.index - b.index;
}

/** Rows of a table are worded alike and say different things by their figures. */
function withWording(entry: Scored): Scored & Candidate {
  const figures = entry.sentence.terms.filter((term) => /^\p{N}/u.test(term)).join(" ");
  return { ...entry, shingles: shingles(entry.sentence.terms), figures };
}

function aboveFloor(candidates: readonly Scored[], wide: boolean): Scored[] {
  const best = candidates[0]?.score ?? 0;
  const floor = (i: number): number => (wide ? LINKED_FLOOR : i < EASY_CLAIMS ? EASY_FLOOR : FLOOR);
  return candidates.filter(({ score }, i) => score >= best * floor(i)).slice(0, MAX_CLAIMS * 5);
}

/** One long document must not crowd out the others, where there are others that bear on the question. */
function withinDocumentShare(candidates: readonly Scored[]): Scored[] {
  const taken = new Map<string, number>();
  const documents = new Set(candidates.map(({ sentence }) => sentence.reading.document.contentHash));
  if (documents.size < 2) return [...candidates];
  return candidates.filter(({ sentence }) => {
    const count = (taken.get(sentence.reading.document.contentHash) ?? 0) + 1;
    taken.set(sentence.reading.document.contentHash, count);
    return count <= MAX_PER_DOCUMENT;
  });
}

/** An item says little without the sentence that introduces it, so that one comes along. */
function withLeadIns(chosen: readonly Scored[], scored: readonly Scored[]): Scored[] {
  const leadIns = new Set(chosen.map(({ sentence }) => sentence.leadIn).filter((leadIn) => leadIn !== null));
  const told = chosen.filter(({ sentence }) => !leadIns.has(sentence));
  const added = scored.filter(({ sentence }) => leadIns.has(sentence));
  return [...told, ...added];
}

function inReadingOrder(chosen: readonly Scored[]): Sentence[] {
  const groups = new Map<Sentence["section"], Scored[]>();
  for (const entry of chosen) groups.set(entry.sentence.section, [...(groups.get(entry.sentence.section) ?? []), entry]);
  const strength = (group: readonly Scored[]): number => Math.max(...group.map(({ score }) => score));
  const first = (group: readonly Scored[]): number => Math.min(...group.map(({ index }) => index));
  return [...groups.values()]
    .sort((a, b) => strength(b) - strength(a) || first(a) - first(b))
    .flatMap((group) => group.sort((a, b) => a.index - b.index).map(({ sentence }) => sentence));
}
