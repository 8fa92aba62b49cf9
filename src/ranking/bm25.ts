/** How fast repeats of a term stop counting. */
const K1 = 1.2;
/** How much length counts against a document; below the usual 0.75, because titles and snippets vary little. */
const B = 0.6;

/** A text to score: its terms by field, and how much a term in that field counts. */
export interface WeightedField {
  readonly terms: readonly string[];
  readonly weight: number;
}

/** Inverse document frequency as in BM25 with the +1 that keeps it positive: ln(1 + (n - df + 0.5) / (df + 0.5)). */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * Scores of `documents` for `query` (terms, each once), in the order of the documents: BM25 with fields mixed before
 * saturation (Robertson, Zaragoza and Taylor 2004), statistics from these documents alone. 0 where no term occurs.
 */
export function scoreDocuments(query: readonly string[], documents: readonly (readonly WeightedField[])[]): number[] {
  const counts = documents.map((fields) => countTerms(query, fields));
  const lengths = documents.map((fields) => fields.reduce((sum, field) => sum + field.terms.length * field.weight, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / (documents.length || 1) || 1;
  const idf = query.map((_, i) => inverseDocumentFrequency(documents.length, counts.filter((row) => (row[i] ?? 0) > 0).length));
  return counts.map((row, d) => {
    const norm = K1 * (1 - B + (B * (lengths[d] ?? 0)) / meanLength);
    return row.reduce((sum, count, i) => sum + ((idf[i] ?? 0) * count * (K1 + 1)) / (count + norm), 0);
  });
}

function countTerms(query: readonly string[], fields: readonly WeightedField[]): number[] {
  const index = new Map(query.map((term, i) => [term, i]));
  const row = new Array<number>(query.length).fill(0);
  for (const { terms, weight } of fields) {
    for (const term of terms) {
      const i = index.get(term);
      if (i !== undefined) row[i] = (row[i] ?? 0) + weight;
    }
  }
  return row;
}
