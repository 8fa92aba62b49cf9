import { weighQueryTerms } from "./query-terms.ts";
import { type Statistics, scoreWeighted, type TermCounts } from "./scoring.ts";
import { smoothByNeighbors, type TermVector } from "./term-vectors.ts";

export interface RankedText {
  readonly title: TermCounts;
  readonly body: TermCounts;
  /** The terms of the title and the body. All ranked texts have vectors of one vocabulary. */
  readonly vector: TermVector;
}

/** Statistics of the collection that contains the ranked texts. Lengths are in terms. */
export interface CollectionStatistics extends Pick<Statistics, "documents" | "frequency"> {
  readonly meanTitleLength: number;
  readonly meanBodyLength: number;
}

/** The additions to plain BM25. `bench/retrieval.md` measures each of them. */
export const ALL_STAGES = { titles: true, compounds: true, neighbors: true };
export type RankingStages = Readonly<typeof ALL_STAGES>;

const TITLE_WEIGHT = 2;
const NEIGHBORHOOD = 100;

/** Returns the texts, best match first. Each text must contain a term of `question`. */
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
  if (!stages.neighbors) return ranked.map(({ text }) => text);
  const near = ranked.slice(0, NEIGHBORHOOD);
  const supported = smoothByNeighbors(
    near.map(({ score }) => score),
    near.map(({ text }) => text.vector),
  );
  const best = sorted(near.map(({ text }, i) => ({ text, score: supported[i] ?? 0 })));
  return [...best, ...ranked.slice(NEIGHBORHOOD)].map(({ text }) => text);
}

function sorted<T>(scored: { text: T; score: number }[]): { text: T; score: number }[] {
  return scored.sort((a, b) => b.score - a.score);
}
