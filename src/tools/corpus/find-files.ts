import { queryTerms } from "../../ranking/query-terms.ts";
import { type RankedText, type RankingStages, rankTexts } from "../../ranking/rank-texts.ts";
import type { CorpusIndex, Match } from "./corpus-index.ts";
import { bestSnippet } from "./sections.ts";

export interface FileQuery {
  readonly text: string;
  readonly limit: number;
  readonly stages: RankingStages;
}

export type FoundFile = Pick<Match, "path" | "title" | "publishedAt"> & { readonly snippet: string };

const CANDIDATES = 200;

/** Returns at most `limit` files, best first. */
export function findFiles(index: CorpusIndex, { text, limit, stages }: FileQuery): FoundFile[] {
  const terms = queryTerms(text);
  const found = index.match(terms, Math.max(limit, CANDIDATES)).map((match) => ({ match, ...termsOf(match) }));
  const ranked = rankTexts(text, found, index.statistics(), stages).slice(0, limit);
  return ranked.map(({ match: { path, title, publishedAt, sectionText } }) => {
    return { path, title, publishedAt, snippet: bestSnippet(sectionText, terms) };
  });
}

function termsOf({ titleWords, words }: Match): RankedText {
  const split = (joined: string): string[] => (joined === "" ? [] : joined.split(" "));
  return { title: split(titleWords), body: split(words) };
}
