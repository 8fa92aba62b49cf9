import type { Wording } from "./near-duplicate.ts";
import { chooseDiverse } from "./similarity.ts";

/** Relevance against novelty. */
const LAMBDA = 0.8;
/** Shorter wordings are alike by chance and say nothing about the pages behind them. */
const MIN_SHINGLES = 8;

/**
 * Up to `keep` of hits that are ranked, in the order of choice: what is alike is only put back, as its title may tell it from the
 * other; copies are expected to be gone. `ranked` has the best first.
 */
export function chooseHits<T extends { readonly score: number; readonly wording: Wording }>(ranked: readonly T[], keep: number): T[] {
  const top = ranked[0]?.score || 1;
  const candidates = ranked.map((entry) => {
    const { bodyShingles } = entry.wording;
    return { entry, score: entry.score / top, shingles: bodyShingles.size < MIN_SHINGLES ? new Set<string>() : bodyShingles };
  });
  const diverse = chooseDiverse(candidates, { limit: keep, lambda: LAMBDA, duplicate: Number.POSITIVE_INFINITY });
  return diverse.map(({ entry }) => entry);
}
