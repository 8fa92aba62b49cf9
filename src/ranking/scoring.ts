import { containment, type HashedSet } from "./hashed-sets.ts";

/** How often terms occur in a text, in the order of the first occurrences. `length` counts all terms. */
export interface TermCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** With `only`, counts only those terms, so that many texts can be counted at once. */
export function countTerms(terms: readonly string[], only?: ReadonlySet<string>): TermCounts {
  const counts = new Map<string, number>();
  for (const term of terms) if (only === undefined || only.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

export interface WeightedField {
  readonly terms: TermCounts;
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
  const counts = documents.map((fields) => countQueryTerms(query, fields));
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

function countQueryTerms(query: readonly WeightedTerm[], fields: readonly WeightedField[]): number[] {
  return query.map(({ term }) => fields.reduce((sum, { terms, weight }) => sum + weight * (terms.counts.get(term) ?? 0), 0));
}

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
export const RRF_K = 60;

export function placesOf(scores: readonly number[]): Map<number, number> {
  const sorted = scores.toSorted((a, b) => b - a);
  return new Map(sorted.map((score, i) => [score, i + 1] as const).reverse());
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
  readonly shingles: HashedSet;
}

/** Chooses by maximal marginal relevance (Carbonell and Goldstein 1998). */
export function chooseDiverse<T extends Candidate>(candidates: readonly T[], { limit, lambda }: { limit: number; lambda: number }): T[] {
  const chosen: T[] = [];
  const open = candidates.map((candidate) => ({ candidate, similarity: 0, compared: 0 }));
  const marginal = ({ candidate, similarity }: (typeof open)[number]): number => lambda * candidate.score - (1 - lambda) * similarity;
  while (chosen.length < limit && open.length > 0) {
    const best = open.reduce((top, entry, i) => (marginal(entry) > marginal(open[top] ?? entry) ? i : top), 0);
    const next = open[best];
    if (next === undefined) break;
    // A comparison only lowers the marginal relevance, so a candidate is compared when it seems to be the best.
    const others = chosen.slice(next.compared);
    if (others.length === 0) chosen.push(...open.splice(best, 1).map(({ candidate }) => candidate));
    next.compared += others.length;
    next.similarity = Math.max(next.similarity, ...others.map(({ shingles }) => containment(next.candidate.shingles, shingles)));
  }
  return chosen;
}
