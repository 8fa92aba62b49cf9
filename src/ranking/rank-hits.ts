import type { Hit, RankedHit } from "../domain/hit.ts";
import type { Ranker } from "../domain/ports/sources.ts";
import { mergeWorks, type Work } from "./merge-works.ts";
import { clusterWordings, type Wording, wordingOf } from "./near-duplicates.ts";
import { queryTerms } from "./query-terms.ts";
import { chooseDiverse, placesOf, RRF_K, scoreDocuments } from "./scoring.ts";

/** A word of the title against one of the snippet. */
const TITLE_WEIGHT = 2;
/** The words of a hit have the vote of two sources, because sources disagree in what they rank by. */
const LEXICAL_VOTES = 2;

/** A work to be ranked, taken apart once. */
interface Candidate {
  readonly work: Work;
  readonly wording: Wording;
}

interface Ranked extends Candidate {
  readonly score: number;
}

/**
 * Ranks hits by two kinds of votes, fused by reciprocal rank: how well title and snippet match the question, and in
 * which order each source (`foundBy`) returned them; the list is taken to hold each source's hits in its own order. Among the
 * hits of a corpus its own order stands.
 * One work is one hit, with the votes of all who found it, whatever its addresses; near-duplicates are represented by
 * the best of them alone, so that copies of a text have neither places nor votes. Scores are 0 to 1, where 1 is the
 * first place in every vote. Equal scores are ordered by id.
 */
export const rankHits: Ranker = ({ question, keep }, hits) => {
  const query = queryTerms(question);
  const works = mergeWorks(hits).map((work) => ({ work, wording: wordingOf(work.hit) }));
  // Which copy is the best shows in a first ranking of all; the second one is free of the copies.
  const originals = standForCopies(rank(query, works));
  return chooseHits(rank(query, originals), keep).map(toRankedHit).sort(byScore);
};

function byScore(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function rank(query: readonly string[], candidates: readonly Candidate[]): Ranked[] {
  const scores = fuse(query, candidates);
  const ranked = candidates.map((candidate, i) => ({ ...candidate, score: scores[i] ?? 0, id: candidate.work.hit.id }));
  return ranked.sort(byScore);
}

function fuse(query: readonly string[], candidates: readonly Candidate[]): number[] {
  const lexical = scoreDocuments(
    query,
    candidates.map(({ wording }) => [
      { terms: wording.titleTerms, weight: TITLE_WEIGHT },
      { terms: wording.bodyTerms, weight: 1 },
    ]),
  );
  const words = inOwnOrder(candidates, lexical);
  const lexicalPlaces = placesOf(words);
  const sources = new Set(candidates.flatMap(({ work }) => [...work.placeBySource.keys()]));
  const best = (LEXICAL_VOTES + sources.size) / (RRF_K + 1);
  return candidates.map(({ work }, i) => {
    const own = words[i] ?? 0;
    let votes = own > 0 ? LEXICAL_VOTES / (RRF_K + (lexicalPlaces.get(own) ?? 1)) : 0;
    for (const place of work.placeBySource.values()) votes += 1 / (RRF_K + place);
    return votes / best;
  });
}

/**
 * A corpus has ranked whole texts, so that a snippet cannot know better which of them is the best. How well its snippets match says
 * where its hits stand among those of other sources: the same scores, handed out in the order of the corpus.
 */
function inOwnOrder(candidates: readonly Candidate[], scores: readonly number[]): number[] {
  const own = candidates.flatMap(({ work: { hit, placeBySource } }, i) =>
    hit.kind === "corpus" ? [{ i, place: placeBySource.get(hit.foundBy) ?? Number.POSITIVE_INFINITY }] : [],
  );
  const best = own.map(({ i }) => scores[i] ?? 0).sort((a, b) => b - a);
  const ordered = own.sort((a, b) => a.place - b.place);
  const changed = [...scores];
  for (const [rank, { i }] of ordered.entries()) changed[i] = best[rank] ?? 0;
  return changed;
}

/** The best of each cluster, with the ids of the others as its further addresses. `ranked` has the best first. */
function standForCopies(ranked: readonly Ranked[]): Candidate[] {
  const leaders = clusterWordings(ranked.map(({ wording }) => wording));
  const copies = new Map<number, string[]>();
  for (const [i, leader] of leaders.entries()) {
    const known = copies.get(leader) ?? [];
    const { hit, alternatives } = ranked[i]?.work ?? { hit: null, alternatives: [] };
    known.push(...(hit === null || leader === i ? [] : [hit.id]), ...alternatives);
    copies.set(leader, known);
  }
  return ranked.flatMap((candidate, i) => {
    const alternatives = copies.get(i);
    return alternatives ? [{ ...candidate, work: { ...candidate.work, alternatives } }] : [];
  });
}

function toRankedHit({ work, score }: Ranked): RankedHit {
  return { ...work.hit, score, origin: work.hit.id, alternatives: [...work.alternatives] };
}

/** Relevance against novelty. */
const LAMBDA = 0.8;
/** Shorter wordings are alike by chance and say nothing about the pages behind them. */
const MIN_SHINGLES = 8;

/**
 * Up to `keep` of hits that are ranked, in the order of choice: what is alike is only put back, as its title may tell it from the
 * other; copies are expected to be gone. `ranked` has the best first.
 */
function chooseHits<T extends { readonly score: number; readonly wording: Wording }>(ranked: readonly T[], keep: number): T[] {
  const top = ranked[0]?.score || 1;
  const candidates = ranked.map((entry) => {
    const { bodyShingles } = entry.wording;
    return { entry, score: entry.score / top, shingles: bodyShingles.size < MIN_SHINGLES ? new Set<string>() : bodyShingles };
  });
  const diverse = chooseDiverse(candidates, { limit: keep, lambda: LAMBDA, duplicate: Number.POSITIVE_INFINITY });
  return diverse.map(({ entry }) => entry);
}

/** The most hits that are judged by meaning for one question. */
export const SEMANTIC_DEPTH = 50;
/** The most characters of a text, or of a question, that are judged by meaning. */
const MAX_CHARACTERS = 2_000;

/** What stands for a hit where it is judged by meaning: its title and the words that came with it, at most 2,000 characters, never empty. */
export function semanticText({ title, snippet, url }: Pick<Hit, "title" | "snippet" | "url">): string {
  return cutForMeaning(
    [title, snippet]
      .map((text) => text.trim())
      .join("\n")
      .trim() || url,
  );
}

/** The beginning of a text, as long as it is judged by meaning. */
export function cutForMeaning(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

/**
 * The order of the words and the order by meaning as one, each with one vote: 1 / (60 + place) from both (reciprocal rank fusion of
 * Cormack, Clarke and Büttcher 2009), then the best and most diverse `keep` of them. `lexical` has the best first, `scores` has one number
 * for each of it; equal scores share a place. The scores of the result are 0 to 1, where 1 is the first place in both orders; of equals the
 * first by words comes first.
 */
export function fuseSemantic(lexical: readonly RankedHit[], scores: readonly number[], keep: number): RankedHit[] {
  const places = placesOf(scores);
  const best = 2 / (RRF_K + 1);
  const ranked = lexical.map((hit, i) => {
    const place = places.get(scores[i] ?? Number.NaN) ?? lexical.length + 1;
    return { hit, wording: wordingOf(hit), score: (1 / (RRF_K + i + 1) + 1 / (RRF_K + place)) / best };
  });
  ranked.sort((a, b) => b.score - a.score);
  return chooseHits(ranked, keep)
    .sort((a, b) => b.score - a.score)
    .map(({ hit, score }) => ({ ...hit, score }));
}
