/** A text to score: its terms by field, and how much a term in that field counts. */
interface WeightedField {
  readonly terms: readonly string[];
  readonly weight: number;
}

/** A term of a query, and how much of its weight it keeps. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** What is known of all texts, of which the scored ones are a part. `meanLength` is in weighted terms. */
export interface Statistics {
  readonly documents: number;
  readonly meanLength: number;
  /** In how many documents a term occurs. */
  frequency(term: string): number;
}

/** The usual constants: how slowly repeats of a term stop counting, and how much length counts against a text. */
const K1 = 1.2;
const B = 0.75;

/** Inverse document frequency as in BM25 with the +1 that keeps it positive: ln(1 + (n - df + 0.5) / (df + 0.5)). */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Scores as `scoreWeighted` gives them, where every term of the query counts the same. */
export function scoreDocuments(query: readonly string[], documents: readonly (readonly WeightedField[])[]): number[] {
  return scoreWeighted(
    query.map((term) => ({ term, weight: 1 })),
    documents,
  );
}

/**
 * Scores of `documents` for `query` (each term once), in the order of the documents: BM25 (k1 1.2, b 0.75) with fields mixed before
 * saturation (Robertson, Zaragoza and Taylor 2004). 0 where no term occurs. Statistics are of the documents themselves where none are given.
 */
export function scoreWeighted(
  query: readonly WeightedTerm[],
  documents: readonly (readonly WeightedField[])[],
  statistics?: Statistics,
): number[] {
  const counts = documents.map((fields) => countTerms(query, fields));
  const lengths = documents.map((fields) => fields.reduce((sum, field) => sum + field.terms.length * field.weight, 0));
  const total = statistics?.documents ?? documents.length;
  const meanLength = (statistics?.meanLength ?? lengths.reduce((sum, length) => sum + length, 0) / documents.length) || 1;
  const idf = query.map(({ term, weight }, i) => {
    const frequency = statistics?.frequency(term) ?? counts.filter((row) => (row[i] ?? 0) > 0).length;
    return weight * inverseDocumentFrequency(total, Math.min(total, frequency));
  });
  return counts.map((row, d) => {
    const norm = K1 * (1 - B + (B * (lengths[d] ?? 0)) / meanLength);
    return row.reduce((sum, count, i) => sum + ((idf[i] ?? 0) * count * (K1 + 1)) / (count + norm), 0);
  });
}

function countTerms(query: readonly WeightedTerm[], fields: readonly WeightedField[]): number[] {
  const index = new Map(query.map(({ term }, i) => [term, i]));
  const row = new Array<number>(query.length).fill(0);
  for (const { terms, weight } of fields) {
    for (const term of terms) {
      const i = index.get(term);
      if (i !== undefined) row[i] = (row[i] ?? 0) + weight;
    }
  }
  return row;
}

/** The constant of reciprocal rank fusion, of Cormack, Clarke and Büttcher 2009. */
export const RRF_K = 60;

/** The place of each score, from 1: one more than there are higher ones. */
export function placesOf(scores: readonly number[]): Map<number, number> {
  const sorted = scores.toSorted((a, b) => b - a);
  return new Map(sorted.map((score, i) => [score, i + 1] as const).reverse());
}

/** Pairs of neighbouring terms (and the term itself where there is only one), to compare wordings by. */
export function shingles(terms: readonly string[]): Set<string> {
  if (terms.length < 2) return new Set(terms);
  return new Set(terms.slice(1).map((term, i) => `${terms[i]} ${term}`));
}

/** |A ∩ B| / min(|A|, |B|), 0 to 1: 1 where the smaller is wholly inside the larger; 0 where either is empty. */
export function containment(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = intersectionSize(a, b);
  return common === 0 ? 0 : common / Math.min(a.size, b.size);
}

/** |A ∩ B|. Walking the smaller set keeps comparing a sentence with a page cheap. */
export function intersectionSize(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const term of small) if (large.has(term)) common++;
  return common;
}

/** Something to choose: `score` 0 to 1, `shingles` as its wording. */
interface Candidate {
  readonly score: number;
  readonly shingles: ReadonlySet<string>;
  /** What it counts, where that matters: candidates with other figures are alike, not duplicates. */
  readonly figures?: string;
}

/**
 * Up to `limit` candidates by maximal marginal relevance (Carbonell and Goldstein 1998), in the order of choice:
 * each time the one with the highest `lambda * score - (1 - lambda) * similarity` to those chosen before. Candidates
 * whose containment in a chosen one reaches `duplicate` are never chosen. Of equals the earlier in the list wins.
 */
export function chooseDiverse<T extends Candidate>(
  candidates: readonly T[],
  { limit, lambda, duplicate }: { limit: number; lambda: number; duplicate: number },
): T[] {
  const chosen: T[] = [];
  const open = candidates.map((candidate) => ({ candidate, similarity: 0, copied: 0 }));
  while (chosen.length < limit && open.length > 0) {
    let best = 0;
    open.forEach((entry, i) => {
      if (marginal(entry, lambda) > marginal(open[best] ?? entry, lambda)) best = i;
    });
    const [next] = open.splice(best, 1);
    if (!next || next.copied >= duplicate) continue;
    chosen.push(next.candidate);
    for (const entry of open) {
      const alike = containment(entry.candidate.shingles, next.candidate.shingles);
      entry.similarity = Math.max(entry.similarity, alike);
      if (entry.candidate.figures === next.candidate.figures) entry.copied = Math.max(entry.copied, alike);
    }
  }
  return chosen;
}

function marginal({ candidate, similarity }: { candidate: Candidate; similarity: number }, lambda: number): number {
  return lambda * candidate.score - (1 - lambda) * similarity;
}
