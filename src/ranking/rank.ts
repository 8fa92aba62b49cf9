import type { Hit, RankedHit } from "../domain/hit.ts";
import type { Ranker } from "../domain/ports/ranker.ts";
import { scoreDocuments } from "./bm25.ts";
import { canonicalUrl } from "./canonical-url.ts";
import { queryTerms } from "./query-terms.ts";
import { chooseDiverse, shingles } from "./similarity.ts";
import { tokenise } from "./tokenise.ts";

/** Reciprocal rank fusion, with the constant of Cormack, Clarke and Büttcher 2009. */
const RRF_K = 60;
/** A word of the title against one of the snippet. */
const TITLE_WEIGHT = 2;
/** The words of a hit have the vote of two sources, because sources disagree in what they rank by. */
const LEXICAL_VOTES = 2;
/** Relevance against novelty. */
const LAMBDA = 0.8;
const DUPLICATE_AT = 0.9;
/** Shorter wordings (a bare "Annual report") are alike by chance and say nothing about the pages behind them. */
const MIN_SHINGLES = 8;

interface Found {
  readonly hit: Hit;
  /** The best place, from 1, that each source gave it. */
  readonly placeBySource: ReadonlyMap<string, number>;
}

/**
 * Ranks hits by two kinds of votes, fused by reciprocal rank: how well title and snippet match the question, and in
 * which order each source (`foundBy`) returned them; the list is taken to hold each source's hits in its own order.
 * One address, and one wording, is kept once, with its content where any of its finders brought that; contents that
 * differ are kept each. Scores are 0 to 1, where 1 is the first place in every vote. Equal scores are ordered by id.
 */
export const rankHits: Ranker = ({ question, keep }, hits) => {
  const found = mergeByAddress(hits);
  const scores = fuse(question, found);
  const ranked = found.map(({ hit }, i): RankedHit => ({ ...hit, score: scores[i] ?? 0 })).sort(byScore);
  return keepDiverse(ranked, keep).sort(byScore);
};

function byScore(a: RankedHit, b: RankedHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function mergeByAddress(hits: readonly Hit[]): Found[] {
  const places = new Map<string, number>();
  const byAddress = new Map<string, { hit: Hit; placeBySource: Map<string, number> }>();
  for (const hit of hits) {
    const place = (places.get(hit.foundBy) ?? 0) + 1;
    places.set(hit.foundBy, place);
    const key = placeOf(hit, byAddress);
    const known = byAddress.get(key) ?? { hit, placeBySource: new Map() };
    if (known.hit.contentHash === null && hit.contentHash !== null) known.hit = hit;
    if (!known.placeBySource.has(hit.foundBy)) known.placeBySource.set(hit.foundBy, place);
    byAddress.set(key, known);
  }
  return [...byAddress.values()];
}

/** The address; where another text has come with the same one, this is another part of it. */
function placeOf({ url, contentHash }: Hit, byAddress: ReadonlyMap<string, { readonly hit: Hit }>): string {
  const address = canonicalUrl(url);
  const first = byAddress.get(address)?.hit.contentHash ?? contentHash;
  return contentHash === null || first === contentHash ? address : `${address}#${contentHash}`;
}

function fuse(question: string, found: readonly Found[]): number[] {
  const lexical = scoreDocuments(
    queryTerms(question),
    found.map(({ hit }) => [
      { terms: tokenise(hit.title), weight: TITLE_WEIGHT },
      { terms: tokenise(hit.snippet), weight: 1 },
    ]),
  );
  const sources = new Set(found.flatMap(({ placeBySource }) => [...placeBySource.keys()]));
  const best = (LEXICAL_VOTES + sources.size) / (RRF_K + 1);
  return found.map(({ placeBySource }, i) => {
    const own = lexical[i] ?? 0;
    const place = 1 + lexical.filter((score) => score > own).length;
    let votes = own > 0 ? LEXICAL_VOTES / (RRF_K + place) : 0;
    for (const sourcePlace of placeBySource.values()) votes += 1 / (RRF_K + sourcePlace);
    return votes / best;
  });
}

function keepDiverse(ranked: readonly RankedHit[], keep: number): RankedHit[] {
  const top = ranked[0]?.score || 1;
  const candidates = ranked.map((hit) => {
    const wording = shingles(tokenise(hit.snippet));
    return { hit, score: hit.score / top, shingles: wording.size < MIN_SHINGLES ? new Set<string>() : wording };
  });
  return chooseDiverse(candidates, { limit: keep, lambda: LAMBDA, duplicate: DUPLICATE_AT }).map(({ hit }) => hit);
}
