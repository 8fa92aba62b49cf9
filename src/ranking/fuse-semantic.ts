import type { Hit, RankedHit } from "../domain/hit.ts";
import { chooseHits } from "./choose-hits.ts";
import { wordingOf } from "./near-duplicate.ts";
import { placesOf, RRF_K } from "./reciprocal-rank.ts";

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
