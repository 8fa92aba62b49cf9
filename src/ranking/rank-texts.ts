import { type Statistics, scoreWeighted } from "./bm25.ts";
import { leanOnNeighbours } from "./neighbours.ts";
import { weighQueryTerms } from "./query-terms.ts";

/** A text as terms: its title, and its headings with its body. */
export interface RankedText {
  readonly title: readonly string[];
  readonly body: readonly string[];
}

/** What is known of the whole collection; lengths are in terms. */
export interface CollectionStatistics extends Pick<Statistics, "documents" | "frequency"> {
  readonly meanTitleLength: number;
  readonly meanBodyLength: number;
}

/** What the ranking adds to plain BM25; each can be left out, to measure it. `bench/retrieval.md` has the figures. */
export interface RankingStages {
  /** A term of the title counts twice. */
  readonly titles: boolean;
  /** A compound beside its parts counts little. */
  readonly compounds: boolean;
  /** Texts like the best ones rise. */
  readonly neighbours: boolean;
}

export const ALL_STAGES: RankingStages = { titles: true, compounds: true, neighbours: true };

const TITLE_WEIGHT = 2;
/** What lies below is too far from the question to say what is about it. */
const NEIGHBOURHOOD = 100;

/**
 * The `texts` in the order of how well they match `question`, best first; of equals the earlier one. `statistics` are of the whole
 * collection, of which the texts are those that matched at all.
 */
export function rankTexts<T extends RankedText>(
  question: string,
  texts: readonly T[],
  { meanTitleLength, meanBodyLength, ...statistics }: CollectionStatistics,
  stages: RankingStages = ALL_STAGES,
): T[] {
  const titleWeight = stages.titles ? TITLE_WEIGHT : 1;
  const query = weighQueryTerms(question).map(({ term, weight }) => ({ term, weight: stages.compounds ? weight : 1 }));
  const fields = texts.map(({ title, body }) => [
    { terms: title, weight: titleWeight },
    { terms: body, weight: 1 },
  ]);
  const scores = scoreWeighted(query, fields, { ...statistics, meanLength: titleWeight * meanTitleLength + meanBodyLength });
  const ranked = sorted(texts.map((text, i) => ({ text, score: scores[i] ?? 0 })));
  if (!stages.neighbours) return ranked.map(({ text }) => text);
  const near = ranked.slice(0, NEIGHBOURHOOD);
  const supported = leanOnNeighbours(
    near.map(({ score }) => score),
    near.map(({ text }) => [...text.title, ...text.body]),
  );
  const best = sorted(near.map(({ text }, i) => ({ text, score: supported[i] ?? 0 })));
  return [...best, ...ranked.slice(NEIGHBOURHOOD)].map(({ text }) => text);
}

function sorted<T>(scored: { text: T; score: number }[]): { text: T; score: number }[] {
  return scored.sort((a, b) => b.score - a.score);
}
