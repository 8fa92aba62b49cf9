import { computation } from "../domain/computation.ts";
import type { Hit } from "../domain/hit.ts";
import { bestCoverage } from "./query-coverage.ts";
import { judgeTexts, rankHits } from "./rank-hits.ts";

const RANK_HITS = new URL("./rank-hits.ts", import.meta.url).href;
const QUERY_COVERAGE = new URL("./query-coverage.ts", import.meta.url).href;
/** In UTF-16 code units. Ranking these takes 5 ms, and 50 ms if each is another Chinese character. */
const INLINE_SIZE = 50_000;

function sizeOfHits(hits: readonly Pick<Hit, "title" | "snippet">[]): number {
  return hits.reduce((sum, { title, snippet }) => sum + title.length + snippet.length, 0);
}

export const RANKING = computation(RANK_HITS, rankHits, (_, hits) => sizeOfHits(hits), INLINE_SIZE);
export const RELEVANCE = computation(RANK_HITS, judgeTexts, (_, hits) => sizeOfHits(hits), INLINE_SIZE);
export const COVERAGE = computation(QUERY_COVERAGE, bestCoverage, (_, hits) => sizeOfHits(hits), INLINE_SIZE);
