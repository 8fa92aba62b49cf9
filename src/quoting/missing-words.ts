import { type Term, wordsOutside } from "./question.ts";
import { isIn, type ReadText, type Sentences } from "./sentences.ts";

/** The most that terms which no document has may weigh, as a share of the weight of the others. bench/retrieval.md shows how it was chosen. */
const MISSING_SHARE = 0.82;

/** Returns the words of the question that no document has. */
export function missingWords(terms: readonly Term[], sentences: Sentences): string[] {
  return terms.flatMap((term) => (term.isContext ? [] : wordsOutside(term, (part) => isRead(part, sentences))));
}

function isRead(part: string, { texts }: Sentences): boolean {
  return texts.some((text) => text.document.analysis.starts.length > 0 && isIn(text, part));
}

/**
 * Bounds what missing terms weigh, so that a single one refuses no document that has the others, and several refuse none if the others
 * have as many parts and are all in a title.
 */
export function boundMissing(weights: readonly number[], terms: readonly Term[], sentences: Sentences): readonly number[] {
  const missing = terms.filter(({ isContext, parts }) => !isContext && !parts.some((part) => isRead(part, sentences)));
  const found = terms.filter((term) => !term.isContext && !missing.includes(term));
  const isTitle = ({ titleTerms }: ReadText): boolean => found.every(({ parts }) => parts.every((part) => titleTerms.has(part)));
  const size = (of: readonly Term[]): number => of.reduce((sum, { parts }) => sum + parts.length, 0);
  if (missing.length > 1 && (size(missing) > size(found) || !sentences.texts.some(isTitle))) return weights;
  const total = (of: readonly Term[]): number => weights.reduce((sum, weight, i) => sum + (of.includes(terms[i] as Term) ? weight : 0), 0);
  const share = Math.min(1, (MISSING_SHARE * total(found)) / total(missing));
  return weights.map((weight, i) => (missing.includes(terms[i] as Term) ? share * weight : weight));
}
