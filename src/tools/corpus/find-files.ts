import { queryTerms } from "../../ranking/query-terms.ts";
import { type RankingStages, rankTexts } from "../../ranking/rank-texts.ts";
import type { CorpusIndex, DayRange } from "./corpus-index.ts";
import type { SectionRow } from "./indexed-sections.ts";
import { bestSnippet } from "./sections.ts";

export interface FileQuery extends DayRange {
  readonly text: string;
  readonly limit: number;
  readonly stages: RankingStages;
}

export type FoundFile = Pick<SectionRow, "path" | "name" | "publishedAt"> & { readonly snippet: string };

const CANDIDATES = 200;

/** Returns at most `limit` files, best first. */
export function findFiles(index: CorpusIndex, { text, limit, stages, ...days }: FileQuery): FoundFile[] {
  const terms = queryTerms(text);
  const found = index.match(terms, Math.max(limit, CANDIDATES), days);
  const ranked = rankTexts(text, found, index.statistics(), stages).slice(0, limit);
  return ranked.map(({ path, name, publishedAt, split }) => ({ path, name, publishedAt, snippet: bestSnippet(split(), terms) }));
}
