interface WeightedField {
  readonly terms: readonly string[];
  readonly weight: number;
}

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Statistics of the collection. In `meanLength`, the length of each field is multiplied by its weight. */
export interface Statistics {
  readonly documents: number;
  readonly meanLength: number;
  frequency(term: string): number;
}

const K1 = 1.2;
const B = 0.75;

/** BM25's inverse document frequency; the +1 inside the logarithm keeps it positive. */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

export function scoreDocuments(query: readonly string[], documents: readonly (readonly WeightedField[])[]): number[] {
  return scoreWeighted(
    query.map((term) => ({ term, weight: 1 })),
    documents,
  );
}

/** Returns BM25 scores with weighted fields (Robertson, Zaragoza and Taylor 2004). `query` must not repeat a term. */
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

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
export const RRF_K = 60;

export function placesOf(scores: readonly number[]): Map<number, number> {
  const sorted = scores.toSorted((a, b) => b - a);
  return new Map(sorted.map((score, i) => [score, i + 1] as const).reverse());
}

export function shingles(terms: readonly string[]): Set<string> {
  if (terms.length < 2) return new Set(terms);
  return new Set(terms.slice(1).map((term, i) => `${terms[i]} ${term}`));
}

export function containment(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = intersectionSize(a, b);
  return common === 0 ? 0 : common / Math.min(a.size, b.size);
}

export function intersectionSize(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const term of small) if (large.has(term)) common++;
  return common;
}

export function neitherContains(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return intersectionSize(a, b) < Math.min(a.size, b.size);
}

export interface Candidate {
  readonly score: number;
  readonly shingles: ReadonlySet<string>;
  /** Candidates with different `figures` are never duplicates of each other. */
  readonly figures?: string;
}

/**
 * Chooses by maximal marginal relevance (Carbonell and Goldstein 1998). Skips a candidate if its similarity to a chosen one with the
 * same `figures` is at least `duplicate`.
 */
export function chooseDiverse<T extends Candidate>(
  candidates: readonly T[],
  { limit, lambda, duplicate }: { limit: number; lambda: number; duplicate: number },
): T[] {
  const chosen: T[] = [];
  const open = candidates.map((candidate) => ({ candidate, similarity: 0, copied: 0 }));
  const marginal = ({ candidate, similarity }: (typeof open)[number]): number => lambda * candidate.score - (1 - lambda) * similarity;
  while (chosen.length < limit && open.length > 0) {
    const best = open.reduce((top, entry, i) => (marginal(entry) > marginal(open[top] ?? entry) ? i : top), 0);
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
