import { inverseDocumentFrequency } from "./scoring.ts";

/** The numbers of the different terms of a text, in the order of their first occurrence, and how often each occurs. */
export interface TermVector {
  readonly ids: Int32Array;
  readonly counts: Int32Array;
}

/** Numbers terms from 0, so that vectors are compared without their texts. */
export class Vocabulary {
  readonly #ids = new Map<string, number>();

  get size(): number {
    return this.#ids.size;
  }

  vectorOf(terms: Iterable<string>): TermVector {
    const counts = new Map<number, number>();
    for (const term of terms) {
      const id = this.#idOf(term);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return { ids: Int32Array.from(counts.keys()), counts: Int32Array.from(counts.values()) };
  }

  clear(): void {
    this.#ids.clear();
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    this.#ids.set(term, this.#ids.size);
    return this.#ids.size - 1;
  }
}

const WEIGHT = 0.5;
const NEIGHBORS = 5;

/** Adds to each score half the mean score of the five most similar texts, weighted by cosine similarity (Diaz 2005). */
export function smoothByNeighbors(scores: readonly number[], texts: readonly TermVector[]): number[] {
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

function similarities(texts: readonly TermVector[]): Float64Array {
  const size = texts.length;
  const { starts, holders, weights } = unitVectors(texts);
  const matrix = new Float64Array(size * size);
  for (let term = 0; term + 1 < starts.length; term++) {
    const end = starts[term + 1] ?? 0;
    for (let a = starts[term] ?? 0; a < end; a++) {
      const row = (holders[a] ?? 0) * size;
      const weight = weights[a] ?? 0;
      for (let b = a + 1; b < end; b++) {
        const at = row + (holders[b] ?? 0);
        matrix[at] = (matrix[at] ?? 0) + weight * (weights[b] ?? 0);
      }
    }
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix[i * size + j] = matrix[j * size + i] ?? 0;
  return matrix;
}

/** The texts that contain a term, and its weights in them, are at `starts[term]` up to `starts[term + 1]`. Texts are in ascending order. */
interface Postings {
  readonly starts: Int32Array;
  readonly holders: Int32Array;
  readonly weights: Float64Array;
}

/** Weighs terms by (1 + ln tf) * idf and scales the vector of each text to length 1. */
function unitVectors(texts: readonly TermVector[]): Postings {
  const { starts, holders, weights } = postingsOf(texts);
  const squares = new Float64Array(texts.length);
  for (let term = 0; term + 1 < starts.length; term++) {
    const [start = 0, end = 0] = [starts[term], starts[term + 1]];
    const idf = inverseDocumentFrequency(texts.length, end - start);
    for (let at = start; at < end; at++) {
      const weight = (1 + Math.log(weights[at] ?? 1)) * idf;
      const text = holders[at] ?? 0;
      weights[at] = weight;
      squares[text] = (squares[text] ?? 0) + weight ** 2;
    }
  }
  const lengths = squares.map((square) => Math.sqrt(square) || 1);
  return { starts, holders, weights: weights.map((weight, at) => weight / (lengths[holders[at] ?? 0] ?? 1)) };
}

/** Returns the postings with counts as weights. Terms are in the order of their first occurrence in the texts. */
function postingsOf(texts: readonly TermVector[]): Postings {
  const places = new Map<number, number>();
  const found = texts.map(({ ids }) =>
    ids.map((id) => {
      const place = places.get(id) ?? places.size;
      places.set(id, place);
      return place;
    }),
  );
  const starts = new Int32Array(places.size + 1);
  for (const terms of found) for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term < places.size; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const next = starts.slice();
  const holders = new Int32Array(starts.at(-1) ?? 0);
  const weights = new Float64Array(holders.length);
  for (const [text, terms] of found.entries()) {
    for (const [i, term] of terms.entries()) {
      const at = next[term] ?? 0;
      holders[at] = text;
      weights[at] = texts[text]?.counts[i] ?? 0;
      next[term] = at + 1;
    }
  }
  return { starts, holders, weights };
}
