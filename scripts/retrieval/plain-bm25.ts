import { queryTerms } from "../../src/ranking/query-terms.ts";
import { tokenize } from "../../src/ranking/tokenize.ts";
import type { CollectionDocument } from "./collection-corpus.ts";

const K1 = 1.2;
const B = 0.75;

/** Document index to the number of times that the term occurs in it. */
type Postings = Map<number, number>;

/**
 * Creates the baseline: BM25 (k1 1.2, b 0.75, Lucene's inverse document frequency) over title and text as one field, with the service's
 * tokens and stop words. The returned function gives the ids of the best `depth` documents; on a tie the earlier document comes first.
 */
export function createPlainBm25(documents: readonly CollectionDocument[]): (query: string, depth: number) => string[] {
  const index = new Map<string, Postings>();
  const lengths = documents.map(({ title, text }, place) => {
    const terms = tokenize(`${title}\n${text}`);
    for (const term of terms) {
      const postings = index.get(term) ?? new Map<number, number>();
      index.set(term, postings.set(place, (postings.get(place) ?? 0) + 1));
    }
    return terms.length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return (query, depth) => {
    const scores = new Map<number, number>();
    for (const term of queryTerms(query)) {
      const postings: Postings = index.get(term) ?? new Map();
      const idf = Math.log(1 + (documents.length - postings.size + 0.5) / (postings.size + 0.5));
      for (const [place, count] of postings) {
        const norm = K1 * (1 - B + (B * (lengths[place] ?? 0)) / meanLength);
        scores.set(place, (scores.get(place) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
      }
    }
    const ranked = [...scores].sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b);
    return ranked.slice(0, depth).map(([place]) => documents[place]?.id ?? "");
  };
}
