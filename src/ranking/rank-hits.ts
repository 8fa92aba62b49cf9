import type { Hit, RankedHit } from "../domain/hit.ts";
import type { Ranker } from "../domain/ports/sources.ts";
import { mergeWorks, type Work } from "./merge-works.ts";
import { clusterWordings, type Wording, wordingOf } from "./near-duplicates.ts";
import { queryTerms } from "./query-terms.ts";
import { chooseDiverse, placesOf, RRF_K, scoreDocuments } from "./scoring.ts";

const TITLE_WEIGHT = 2;
/** BM25 has the votes of two sources, because sources disagree in what they rank by. */
const LEXICAL_VOTES = 2;

interface Candidate {
  readonly work: Work;
  readonly wording: Wording;
}

interface Ranked extends Candidate {
  readonly score: number;
}

/**
 * Ranks hits by reciprocal rank fusion of two kinds of votes: BM25 of title and snippet, and the order in which each source (`foundBy`)
 * returned them; `hits` holds each source's hits in its own order. Hits of a corpus keep their order among themselves. One work is one
 * hit with the votes of all its finders; of near-duplicates only the best stays, and copies have no votes. Scores are 0 to 1, where 1 is
 * the first place in every vote; equal scores are ordered by id.
 */
export const rankHits: Ranker = ({ question, keep }, hits) => {
  const query = queryTerms(question);
  const works = mergeWorks(hits).map((work) => ({ work, wording: wordingOf(work.hit) }));
  // The first ranking shows which copy is the best; the second one is free of the copies.
  const originals = dropCopies(rank(query, works));
  const chosen = chooseHits(rank(query, originals), keep);
  return chosen.map(({ work, score }) => ({ ...work.hit, score, origin: work.hit.id, alternatives: [...work.alternatives] })).sort(byScore);
};

function byScore(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function rank(query: readonly string[], candidates: readonly Candidate[]): Ranked[] {
  const scores = fuse(query, candidates);
  return candidates.map((candidate, i) => ({ ...candidate, score: scores[i] ?? 0, id: candidate.work.hit.id })).sort(byScore);
}

function fuse(query: readonly string[], candidates: readonly Candidate[]): number[] {
  const lexical = scoreDocuments(
    query,
    candidates.map(({ wording }) => [
      { terms: wording.titleTerms, weight: TITLE_WEIGHT },
      { terms: wording.bodyTerms, weight: 1 },
    ]),
  );
  const scores = keepCorpusOrder(candidates, lexical);
  const lexicalPlaces = placesOf(scores);
  const sources = new Set(candidates.flatMap(({ work }) => [...work.placeBySource.keys()]));
  const best = (LEXICAL_VOTES + sources.size) / (RRF_K + 1);
  return candidates.map(({ work }, i) => {
    const own = scores[i] ?? 0;
    let votes = own > 0 ? LEXICAL_VOTES / (RRF_K + (lexicalPlaces.get(own) ?? 1)) : 0;
    for (const place of work.placeBySource.values()) votes += 1 / (RRF_K + place);
    return votes / best;
  });
}

/** Hands the scores of a corpus's hits out again in the order of the corpus, which ranked whole texts and knows more than a snippet. */
function keepCorpusOrder(candidates: readonly Candidate[], scores: readonly number[]): number[] {
  const own = candidates.flatMap(({ work: { hit, placeBySource } }, i) =>
    hit.kind === "corpus" ? [{ i, place: placeBySource.get(hit.foundBy) ?? Number.POSITIVE_INFINITY }] : [],
  );
  const best = own.map(({ i }) => scores[i] ?? 0).sort((a, b) => b - a);
  const changed = [...scores];
  for (const [rank, { i }] of own.sort((a, b) => a.place - b.place).entries()) changed[i] = best[rank] ?? 0;
  return changed;
}

/** The best of each cluster of near-duplicates, with the ids of the others as alternatives. `ranked` has the best first. */
function dropCopies(ranked: readonly Ranked[]): Candidate[] {
  const leaders = clusterWordings(ranked.map(({ wording }) => wording));
  const clusters = Map.groupBy(ranked.keys(), (i) => leaders[i]);
  return ranked.flatMap((candidate, i) => {
    const alternatives = clusters.get(i)?.flatMap((member) => {
      const { hit, alternatives } = (ranked[member] ?? candidate).work;
      return member === i ? alternatives : [hit.id, ...alternatives];
    });
    return alternatives ? [{ ...candidate, work: { ...candidate.work, alternatives } }] : [];
  });
}

const LAMBDA = 0.8;
/** Shorter wordings are alike by chance. */
const MIN_SHINGLES = 8;

/** Up to `keep` hits in the order of choice. `ranked` has the best first and no copies; hits alike are put back, not dropped. */
function chooseHits<T extends { readonly score: number; readonly wording: Wording }>(ranked: readonly T[], keep: number): T[] {
  const top = ranked[0]?.score || 1;
  const candidates = ranked.map((entry) => {
    const { bodyShingles } = entry.wording;
    return { entry, score: entry.score / top, shingles: bodyShingles.size < MIN_SHINGLES ? new Set<string>() : bodyShingles };
  });
  const diverse = chooseDiverse(candidates, { limit: keep, lambda: LAMBDA, duplicate: Number.POSITIVE_INFINITY });
  return diverse.map(({ entry }) => entry);
}

export const SEMANTIC_DEPTH = 50;
const MAX_CHARACTERS = 2_000;

/** The text by which a hit is ranked by meaning: title and snippet, or else the address; at most 2,000 characters, never empty. */
export function semanticText({ title, snippet, url }: Pick<Hit, "title" | "snippet" | "url">): string {
  return cutForMeaning(`${title.trim()}\n${snippet.trim()}`.trim() || url);
}

export function cutForMeaning(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

/**
 * Fuses the order by words and the order by meaning, one vote each (reciprocal rank fusion), and keeps the best and most diverse `keep`.
 * `lexical` has the best first; `scores` has one number for each of it, and equal scores share a place. Scores of the result are 0 to 1,
 * where 1 is the first place in both orders; of equals the first by words comes first.
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
