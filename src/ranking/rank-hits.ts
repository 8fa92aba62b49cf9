import type { Hit, RankedHit } from "../domain/hit.ts";
import { publisherSiteOf } from "./canonical-url.ts";
import { mergeWorks, type Work } from "./merge-works.ts";
import { clusterNearDuplicates, type HitTerms, termsOfHit } from "./near-duplicates.ts";
import { queryTerms } from "./query-terms.ts";
import { cutIrrelevant, judgeHits, judgesByWords, MIN_RELEVANCE, relevanceOfScores } from "./relevance.ts";
import { chooseDiverse, placesOf, RRF_K, scoreDocuments } from "./scoring.ts";

/** Filings and papers are where others take their facts from, and so are the pages of the organization itself. */
const PRIMARY: readonly Hit["kind"][] = ["filing", "scholar"];
/** In rank fusion, three places of one list are 5 %. */
const NEARLY_EQUAL = 1.05;

/** Weighs each kind of hit so that a primary source comes before another one of nearly the same score. Scores stay at most 1. */
function kindWeights(hits: readonly Hit[]): (hit: Hit) => number {
  const sites = new Set(hits.flatMap(({ site = "" }) => publisherSiteOf(site.includes("://") ? site : `https://${site}`) || []));
  const isPrimary = ({ kind, url }: Hit): boolean => PRIMARY.includes(kind) || (kind === "web" && sites.has(publisherSiteOf(url)));
  const areMixed = hits.some(isPrimary) && !hits.every(isPrimary);
  return (hit) => (areMixed && !isPrimary(hit) ? 1 / NEARLY_EQUAL : 1);
}

const TITLE_WEIGHT = 2;
/** In rank fusion, BM25 counts twice and the order of each source counts once. */
const LEXICAL_VOTES = 2;

interface Candidate {
  readonly work: Work;
  readonly terms: HitTerms;
}

type Ranked = Candidate & Pick<RankedHit, "score" | "isUnjudged">;

interface RankQuery {
  readonly question: string;
  readonly keep: number;
  /**
   * Hits that are irrelevant to each of these texts are left out. Hits with a text, which a called tool delivered, are not. If none is
   * relevant, the best few of those are kept that words cannot judge.
   */
  readonly relevantTo?: readonly string[];
}

/**
 * Fuses BM25 and the order of each source by reciprocal rank fusion. `hits` must keep the order in which each source returned them.
 * Returns only the best of several near-duplicates, at most `keep`, best first. Scores are between 0 and 1. Equal input gives equal results.
 */
export function rankHits({ question, keep, relevantTo }: RankQuery, hits: readonly Hit[]): RankedHit[] {
  const query = queryTerms(question);
  const works = mergeWorks(hits).map((work): Candidate => ({ work, terms: termsOfHit(work.hit) }));
  // The first ranking finds the best copy of each text. The second one excludes the other copies.
  const originals = dropCopies(rank(query, works));
  const ranked = rank(query, originals);
  const relevant = relevantTo === undefined ? ranked : dropIrrelevant(ranked, relevantTo);
  const chosen = chooseHits(relevant, keep);
  return chosen
    .map(({ work, score, isUnjudged }) => {
      const marked = isUnjudged && { isUnjudged };
      return { ...work.hit, score, origin: work.hit.id, alternatives: [...work.alternatives], ...marked };
    })
    .sort(byScore);
}

/** `judgeHits` for hits as they were found. */
export function judgeTexts(queries: readonly string[], hits: readonly Hit[]): number[] {
  return judgeHits(queries, hits.map(termsOfHit));
}

function dropIrrelevant(ranked: readonly Ranked[], queries: readonly string[]): Ranked[] {
  const relevance = judgeHits(
    queries,
    ranked.map(({ terms }) => terms),
  );
  const byHit = new Map(ranked.map((one, i) => [one, relevance[i] ?? 0]));
  const judges = judgesByWords(queries);
  const isJudged = ({ work: { hit } }: Ranked): boolean => judges(`${hit.title} ${hit.snippet}`);
  const isExempt = ({ work }: Ranked): boolean => isDelivered(work.hit);
  const relevanceOf = (one: Ranked): number => byHit.get(one) ?? 0;
  return cutIrrelevant(ranked, relevanceOf, { isJudged, isExempt }).map((one) =>
    isExempt(one) || relevanceOf(one) >= MIN_RELEVANCE ? one : { ...one, isUnjudged: true },
  );
}

/** Whether a tool that the run called delivered the text, so that nothing is left to read. */
function isDelivered({ contentHash }: Hit): boolean {
  return contentHash !== null;
}

function byScore(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function rank(query: readonly string[], candidates: readonly Candidate[]): Ranked[] {
  const fields = candidates.map(({ terms }) => [
    { terms: terms.titleTerms, weight: TITLE_WEIGHT },
    { terms: terms.bodyTerms, weight: 1 },
  ]);
  const lexical = keepCorpusOrder(candidates, scoreDocuments(query, fields));
  const lexicalPlaces = placesOf(lexical);
  const sources = new Set(candidates.flatMap(({ work }) => [...work.placeBySource.keys()]));
  const best = (LEXICAL_VOTES + sources.size) / (RRF_K + 1);
  const weightOf = kindWeights(candidates.map(({ work }) => work.hit));
  const ranked = candidates.map((candidate, i) => {
    const { hit, placeBySource } = candidate.work;
    const own = lexical[i] ?? 0;
    let votes = own > 0 ? LEXICAL_VOTES / (RRF_K + (lexicalPlaces.get(own) ?? 1)) : 0;
    for (const place of placeBySource.values()) votes += 1 / (RRF_K + place);
    return { ...candidate, score: (votes / best) * weightOf(hit), id: hit.id };
  });
  return ranked.sort(byScore);
}

/** Keeps the order of hits of local documents, because their search ranked whole texts and not snippets. */
function keepCorpusOrder(candidates: readonly Candidate[], scores: readonly number[]): number[] {
  const own = candidates.flatMap(({ work: { hit, placeBySource } }, i) =>
    hit.kind === "corpus" || hit.kind === "upload" ? [{ i, place: placeBySource.get(hit.foundBy) ?? Infinity }] : [],
  );
  const best = own.map(({ i }) => scores[i] ?? 0).sort((a, b) => b - a);
  const changed = [...scores];
  for (const [rank, { i }] of own.sort((a, b) => a.place - b.place).entries()) changed[i] = best[rank] ?? 0;
  return changed;
}

function dropCopies(ranked: readonly Ranked[]): Candidate[] {
  const leaders = clusterNearDuplicates(ranked.map(({ terms }) => terms));
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
const MIN_SHINGLES = 8;

function chooseHits<T extends { readonly score: number; readonly terms: HitTerms }>(ranked: readonly T[], keep: number): T[] {
  const top = ranked[0]?.score || 1;
  const candidates = ranked.map((entry) => {
    const { bodyShingles } = entry.terms;
    return { entry, score: entry.score / top, shingles: bodyShingles.length < MIN_SHINGLES ? new Uint32Array() : bodyShingles };
  });
  return chooseDiverse(candidates, { limit: keep, lambda: LAMBDA }).map(({ entry }) => entry);
}

export const SEMANTIC_DEPTH = 50;
const MAX_CHARACTERS = 2_000;

export function semanticText({ title, snippet, url }: Pick<Hit, "title" | "snippet" | "url">): string {
  return cutForMeaning(`${title.trim()}\n${snippet.trim()}`.trim() || url);
}

export function cutForMeaning(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

/**
 * Fuses two rankings of the same hits. `scores[i]` is the semantic score of `lexical[i]`. Returns the `keep` best hits, without those that
 * are irrelevant by their scores if it `cuts`.
 */
export function fuseSemantic(lexical: readonly RankedHit[], scores: readonly number[], keep: number, cuts = false): RankedHit[] {
  const places = placesOf(scores);
  const best = 2 / (RRF_K + 1);
  const relevance = relevanceOfScores(scores);
  const weightOf = kindWeights(lexical);
  const ranked = lexical.map((hit, i) => {
    const place = places.get(scores[i] ?? Number.NaN) ?? lexical.length + 1;
    const score = ((1 / (RRF_K + i + 1) + 1 / (RRF_K + place)) / best) * weightOf(hit);
    return { hit, terms: termsOfHit(hit), relevance: relevance[i] ?? 0, score };
  });
  ranked.sort((a, b) => b.score - a.score);
  const cut = { isJudged: () => true, isExempt: ({ hit }: { readonly hit: RankedHit }) => isDelivered(hit) };
  return chooseHits(cuts ? cutIrrelevant(ranked, ({ relevance }) => relevance, cut) : ranked, keep)
    .sort((a, b) => b.score - a.score)
    .map(({ hit, score }) => ({ ...hit, score }));
}
