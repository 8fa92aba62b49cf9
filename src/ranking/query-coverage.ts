import type { Hit } from "../domain/hit.ts";
import { weighQueryTerms } from "./query-terms.ts";
import { tokenize } from "./tokenize.ts";

/** Below it, a search found nothing relevant. Chosen on half of the questions: see `bench/retrieval.md`. */
export const MIN_COVERAGE = 0.4;

/**
 * Returns how much of one query the best hit has, 0 to 1: the share of the query's terms that stand in its title or snippet (coordination
 * level matching). Unlike in `judgeRelevance`, terms that no hit has count too: only they tell that nothing was found.
 */
export function bestCoverage(queries: readonly string[], hits: readonly Pick<Hit, "title" | "snippet">[]): number {
  const weighed = queries.map((query) => {
    const terms = weighQueryTerms(query);
    return { terms, total: terms.reduce((sum, { weight }) => sum + weight, 0) };
  });
  let best = 0;
  for (const { title, snippet } of hits) {
    const found = new Set(tokenize(`${title}\n${snippet}`));
    for (const { terms, total } of weighed) {
      const share = terms.reduce((sum, { term, weight }) => sum + (found.has(term) ? weight : 0), 0);
      best = Math.max(best, share / (total || 1));
    }
  }
  return best;
}
