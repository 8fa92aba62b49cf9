import { weighQueryTerms } from "./query-terms.ts";
import { inverseDocumentFrequency, type Statistics, scoreWeighted } from "./scoring.ts";

export interface RankedText {
  readonly title: readonly string[];
  readonly body: readonly string[];
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
    near.map(({ text }) => [...text.title, ...text.body]),
  );
  const best = sorted(near.map(({ text }, i) => ({ text, score: supported[i] ?? 0 })));
  return [...best, ...ranked.slice(NEIGHBORHOOD)].map(({ text }) => text);
}

function sorted<T>(scored: { text: T; score: number }[]): { text: T; score: number }[] {
  return scored.sort((a, b) => b.score - a.score);
}

const WEIGHT = 0.5;
const NEIGHBORS = 5;

/** Adds to each score half the mean score of the five most similar texts, weighted by cosine similarity (Diaz 2005). */
export function smoothByNeighbors(scores: readonly number[], texts: readonly (readonly string[])[]): number[] {
  const similarity = similarities(texts);
  return scores.map((own, i) => {
    const row = similarity.subarray(i * texts.length, (i + 1) * texts.length);
    const near = nearest(row);
    const total = near.reduce((sum, j) => sum + (row[j] ?? 0), 0);
    const support = near.reduce((sum, j) => sum + (row[j] ?? 0) * (scores[j] ?? 0), 0);
    return own + (total > 0 ? (WEIGHT * support) / total : 0);
  });
}

function nearest(row: Float64Array): number[] {
  const near: number[] = [];
  row.forEach((value, j) => {
    if (value <= 0 || (near.length === NEIGHBORS && value <= (row[near.at(-1) ?? 0] ?? 0))) return;
    const at = near.findIndex((other) => (row[other] ?? 0) < value);
    near.splice(at < 0 ? near.length : at, 0, j);
    if (near.length > NEIGHBORS) near.pop();
  });
  return near;
}

function similarities(texts: readonly (readonly string[])[]): Float64Array {
  const size = texts.length;
  const matrix = new Float64Array(size * size);
  for (const list of unitVectors(texts).values()) {
    for (const a of list) {
      for (const b of list) {
        const at = a.text * size + b.text;
        if (a !== b) matrix[at] = (matrix[at] ?? 0) + a.weight * b.weight;
      }
    }
  }
  return matrix;
}

interface Entry {
  readonly text: number;
  weight: number;
}

/** Weighs terms by (1 + ln tf) * idf and scales the vector of each text to length 1. */
function unitVectors(texts: readonly (readonly string[])[]): Map<string, Entry[]> {
  const holders = new Map<string, Entry[]>();
  for (const [text, terms] of texts.entries()) {
    for (const term of terms) {
      const list = holders.get(term);
      const last = list?.at(-1);
      if (last?.text === text) last.weight++;
      else if (list) list.push({ text, weight: 1 });
      else holders.set(term, [{ text, weight: 1 }]);
    }
  }
  const squares = new Float64Array(texts.length);
  for (const list of holders.values()) {
    const idf = inverseDocumentFrequency(texts.length, list.length);
    for (const entry of list) {
      entry.weight = (1 + Math.log(entry.weight)) * idf;
      squares[entry.text] = (squares[entry.text] ?? 0) + entry.weight ** 2;
    }
  }
  for (const list of holders.values()) for (const entry of list) entry.weight /= Math.sqrt(squares[entry.text] ?? 1) || 1;
  return holders;
}
