import { weighQueryTerms } from "./query-terms.ts";
import { inverseDocumentFrequency, type Statistics, scoreWeighted, type TermCounts } from "./scoring.ts";

export interface RankedText {
  readonly title: TermCounts;
  readonly body: TermCounts;
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
    near.map(({ text }) => addCounts(text.title.counts, text.body.counts)),
  );
  const best = sorted(near.map(({ text }, i) => ({ text, score: supported[i] ?? 0 })));
  return [...best, ...ranked.slice(NEIGHBORHOOD)].map(({ text }) => text);
}

function sorted<T>(scored: { text: T; score: number }[]): { text: T; score: number }[] {
  return scored.sort((a, b) => b.score - a.score);
}

function addCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sum = new Map(a);
  for (const [term, count] of b) sum.set(term, (sum.get(term) ?? 0) + count);
  return sum;
}

const WEIGHT = 0.5;
const NEIGHBORS = 5;

/** Adds to each score half the mean score of the five most similar texts, weighted by cosine similarity (Diaz 2005). */
export function smoothByNeighbors(scores: readonly number[], texts: readonly ReadonlyMap<string, number>[]): number[] {
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

function similarities(texts: readonly ReadonlyMap<string, number>[]): Float64Array {
  const size = texts.length;
  const matrix = new Float64Array(size * size);
  for (const list of unitVectors(texts)) {
    for (const [i, a] of list.entries()) {
      for (const b of list.slice(i + 1)) {
        const at = a.text * size + b.text;
        matrix[at] = (matrix[at] ?? 0) + a.weight * b.weight;
      }
    }
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix[i * size + j] = matrix[j * size + i] ?? 0;
  return matrix;
}

interface Entry {
  readonly text: number;
  weight: number;
}

/** Weighs terms by (1 + ln tf) * idf and scales the vector of each text to length 1. Returns the texts of each term. */
function unitVectors(texts: readonly ReadonlyMap<string, number>[]): Iterable<Entry[]> {
  const holders = new Map<string, Entry[]>();
  for (const [text, counts] of texts.entries()) {
    for (const [term, weight] of counts) {
      const list = holders.get(term);
      if (list) list.push({ text, weight });
      else holders.set(term, [{ text, weight }]);
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
  return holders.values();
}
