import { type Saturation, type Statistics, scoreWeighted, type WeightedField } from "./bm25.ts";
import { leanOnNeighbours } from "./neighbours.ts";
import { weighQueryTerms } from "./query-terms.ts";

/** A text whose words are at hand, taken apart. */
export interface RankedText {
  readonly title: readonly string[];
  readonly headings: readonly string[];
  readonly body: readonly string[];
}

/** What the ranking consists of; each can be left out, to see what it is worth. */
export interface RankingStages {
  /** BM25 over title, headings and body as one text; without it texts stay in the order given. */
  readonly fields: boolean;
  /** A compound beside its parts counts little. */
  readonly compounds: boolean;
  /** Texts like the best ones rise. */
  readonly neighbours: boolean;
}

export const ALL_STAGES: RankingStages = { fields: true, compounds: true, neighbours: true };

/** Measured on SciFact's training queries, Cranfield and CISI; see bench/retrieval.md. */
const WHOLE_TEXTS: Saturation = { k1: 2, b: 0.8 };
export const FIELD_WEIGHTS = { title: 2, headings: 0.5, body: 1 };
/** What lies below is too far from the question to say what is about it. */
const NEIGHBOURHOOD = 100;

/**
 * The `texts` in the order of how well they match `question`, best first; of equals the earlier one. `statistics` are of the whole
 * collection, of which the texts are those that matched at all.
 */
export function rankTexts<T extends RankedText>(
  question: string,
  texts: readonly T[],
  statistics: Statistics,
  stages: RankingStages = ALL_STAGES,
): T[] {
  if (!stages.fields) return [...texts];
  const query = weighQueryTerms(question).map(({ term, weight }) => ({ term, weight: stages.compounds ? weight : 1 }));
  const scores = scoreWeighted(query, texts.map(fieldsOf), WHOLE_TEXTS, statistics);
  const ranked = sorted(texts.map((text, i) => ({ text, score: scores[i] ?? 0 })));
  if (!stages.neighbours) return ranked.map(({ text }) => text);
  const near = ranked.slice(0, NEIGHBOURHOOD);
  const supported = leanOnNeighbours(
    near.map(({ score }) => score),
    near.map(({ text }) => [...text.title, ...text.title, ...text.body]),
  );
  const best = sorted(near.map(({ text }, i) => ({ text, score: supported[i] ?? 0 })));
  return [...best, ...ranked.slice(NEIGHBOURHOOD)].map(({ text }) => text);
}

function sorted<T>(scored: { text: T; score: number }[]): { text: T; score: number }[] {
  return scored.sort((a, b) => b.score - a.score);
}

function fieldsOf({ title, headings, body }: RankedText): WeightedField[] {
  return [
    { terms: title, weight: FIELD_WEIGHTS.title },
    { terms: headings, weight: FIELD_WEIGHTS.headings },
    { terms: body, weight: FIELD_WEIGHTS.body },
  ];
}
