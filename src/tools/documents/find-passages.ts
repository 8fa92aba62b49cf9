import { type AnalyzedDocument, listAt, termId } from "../../domain/analysis.ts";
import { queryTerms, weighQueryTerms } from "../../ranking/query-terms.ts";
import { countTerms, scoreWeighted, type TermCounts, type WeightedField } from "../../ranking/scoring.ts";
import { tokenize } from "../../ranking/tokenize.ts";
import { bestSnippet, splitText } from "../corpus/sections.ts";

/** In UTF-16 code units. */
const PASSAGE_LENGTH = 1_600;
const SNIPPET_LENGTH = 300;
const TITLE_WEIGHT = 2;

export interface FoundDocument<T extends AnalyzedDocument> {
  readonly document: T;
  readonly snippet: string;
}

interface Passage {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly terms: TermCounts;
}

/**
 * Ranks documents by BM25 of their best passage and their title. Documents without a term of the query come last, in their order, with the
 * beginning of their text.
 */
export function findPassages<T extends AnalyzedDocument>(query: string, documents: readonly T[]): FoundDocument<T>[] {
  const terms = weighQueryTerms(query);
  const words = terms.map(({ term }) => term);
  const passages: Passage[] = [];
  for (const [at, document] of documents.entries()) {
    passages.push(...cutPassages(document, words, at));
  }
  const titles = documents.map(({ title }) => ({ terms: countTerms(tokenize(title)), weight: TITLE_WEIGHT }));
  const fields = passages.map(({ at, terms }): WeightedField[] => [{ terms, weight: 1 }, ...(titles[at] ? [titles[at]] : [])]);
  const scores = scoreWeighted(terms, fields);
  const best = new Map<number, { readonly passage: Passage; readonly score: number }>();
  for (const [i, passage] of passages.entries()) {
    const score = scores[i] ?? 0;
    if (score > (best.get(passage.at)?.score ?? 0)) best.set(passage.at, { passage, score });
  }
  const asked = queryTerms(query);
  const ranked = [...documents.keys()].sort((a, b) => (best.get(b)?.score ?? 0) - (best.get(a)?.score ?? 0) || a - b);
  return ranked.flatMap((at) => {
    const document = documents[at];
    if (document === undefined) return [];
    const passage = best.get(at)?.passage;
    const snippet =
      passage === undefined
        ? document.text.slice(0, SNIPPET_LENGTH).toWellFormed()
        : bestSnippet(splitText(document.text.slice(passage.start, passage.end)), asked);
    return [{ document, snippet }];
  });
}

/** Joins the sentences of a section. Counts only the terms of the query. */
function cutPassages({ analysis }: AnalyzedDocument, words: readonly string[], at: number): Passage[] {
  const { starts, ends, sections, tokens } = analysis;
  const asked = new Map(words.map((word) => [termId(analysis, word), word]));
  const passages: Passage[] = [];
  let counts = new Map<string, number>();
  let [first, length] = [0, 0];
  for (const [sentence, end] of ends.entries()) {
    for (const id of listAt(tokens, sentence)) {
      const word = id < 0 ? undefined : asked.get(id);
      if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
      length += 1;
    }
    const next = ends[sentence + 1];
    const start = starts[first] ?? 0;
    if (next !== undefined && next - start <= PASSAGE_LENGTH && sections[sentence + 1] === sections[first]) continue;
    passages.push({ at, start, end, terms: { counts, length } });
    counts = new Map();
    [first, length] = [sentence + 1, 0];
  }
  return passages;
}
