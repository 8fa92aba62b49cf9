import type { RankedHit } from "../domain/hit.ts";
import type { Ranker } from "../domain/ports/ranker.ts";
import { scoreDocuments } from "./bm25.ts";
import { chooseHits } from "./choose-hits.ts";
import { mergeWorks, type Work } from "./merge-works.ts";
import { isNearDuplicate, type Wording, wordingOf } from "./near-duplicate.ts";
import { queryTerms } from "./query-terms.ts";
import { placesOf, RRF_K } from "./reciprocal-rank.ts";

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

/** A wording that more leaders than this share is that of a template, and finds no further ones. */
const MAX_LEADERS_PER_SHINGLE = 50;
/** Of the leaders that share wordings, those that share most are looked at closely. */
const MAX_CANDIDATES = 20;

/**
 * For each wording the index of the one it is a near-duplicate of, its own where there is none. Leaders are found in
 * the order of the list, so the best has to come first; every member is like its leader itself, not through others.
 * Time grows with the number of wordings, not its square, also where all share most of theirs.
 */
export function clusterWordings(wordings: readonly Wording[]): number[] {
  const indexes = new Map<string, LeaderIndex>();
  return wordings.map((wording, i) => {
    const index = indexes.get(wording.nameNumbers) ?? new LeaderIndex();
    indexes.set(wording.nameNumbers, index);
    const leader = index.candidates(wording).find((candidate) => isNearDuplicate(wordings[candidate] ?? wording, wording));
    if (leader === undefined) index.add(i, wording);
    return leader ?? i;
  });
}

/** Finds the leaders that share shingles or a title with a wording. */
class LeaderIndex {
  readonly #leadersByFeature = new Map<string, number[]>();

  add(leader: number, wording: Wording): void {
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      if (leaders.length < MAX_LEADERS_PER_SHINGLE) leaders.push(leader);
      this.#leadersByFeature.set(feature, leaders);
    }
  }

  /** At most 20, those that share most and rarest first, of equals the better one. */
  candidates(wording: Wording): number[] {
    const shared = new Map<number, number>();
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      // Late leaders are missing under the shingles of a template, so these must weigh little.
      for (const leader of leaders) shared.set(leader, (shared.get(leader) ?? 0) + 1 / leaders.length);
    }
    return [...shared]
      .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || a - b)
      .slice(0, MAX_CANDIDATES)
      .map(([leader]) => leader);
  }
}

/** A space begins no shingle, so that a title is told from one. */
function featuresOf({ bodyShingles, name }: Wording): string[] {
  return name.length > 0 ? [...bodyShingles, ` ${name.join(" ")}`] : [...bodyShingles];
}
