/** A text to score: its terms by field, and how much a term in that field counts. */
export interface WeightedField {
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
