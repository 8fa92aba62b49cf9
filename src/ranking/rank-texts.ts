import { weighQueryTerms } from "./query-terms.ts";
import { inverseDocumentFrequency, type Statistics, scoreWeighted } from "./scoring.ts";

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

/** How much of a score comes from the neighbours, where the text's own score counts 1. */
const WEIGHT = 0.5;
/** More neighbours are less alike. */
const NEIGHBOURS = 5;

/**
 * The scores with what each text owes to those most like it: what is worded like other texts that match well is likely
 * to be about the same. Half the mean score of its five nearest neighbours, by how near they are, is added to its own
 * (score regularisation, Diaz 2005; likeness is the cosine of (1 + ln tf) * idf, where only these texts count: what all of
 * them speak of tells none apart). Scores and texts are in one order.
 */
export function leanOnNeighbours(scores: readonly number[], texts: readonly (readonly string[])[]): number[] {
  const likeness = likenesses(texts);
  return scores.map((own, i) => {
    const row = likeness.subarray(i * texts.length, (i + 1) * texts.length);
    const near = nearest(row);
    const total = near.reduce((sum, j) => sum + (row[j] ?? 0), 0);
    const support = near.reduce((sum, j) => sum + (row[j] ?? 0) * (scores[j] ?? 0), 0);
    return own + (total > 0 ? (WEIGHT * support) / total : 0);
  });
}

/** The places of the greatest values, greatest first; of equals the first. */
function nearest(row: Float64Array): number[] {
  const near: number[] = [];
  row.forEach((value, j) => {
    if (value <= 0 || (near.length === NEIGHBOURS && value <= (row[near.at(-1) ?? 0] ?? 0))) return;
    const at = near.findIndex((other) => (row[other] ?? 0) < value);
    near.splice(at < 0 ? near.length : at, 0, j);
    if (near.length > NEIGHBOURS) near.pop();
  });
  return near;
}

/** How alike each two texts are, row by row; 0 for a text and itself. */
function likenesses(texts: readonly (readonly string[])[]): Float64Array {
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

/** By term: the texts that hold it, with their weights; each text's weights make a vector of length 1. */
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
