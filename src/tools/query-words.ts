import { keywords } from "../ranking/keywords.ts";

/** Services refuse long queries, and words far back in a long question say less. */
const MAX_WORDS = 16;
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const LATIN = /\p{sc=Latin}/u;

/** The words of a question for an index in any language, at most 16. */
export function queryWords(question: string): string[] {
  return keywords(question).slice(0, MAX_WORDS);
}

/**
 * The words of a question for an index that holds English only, at most 16: those that are not Chinese or Japanese where a
 * Latin one is among them ("Transformer 的复杂度" asks for `Transformer`). A question without one is asked as it is, so that
 * "nothing found" is what the service said; its numbers are left out, because they alone would find anything.
 */
export function englishWords(question: string): string[] {
  const words = keywords(question);
  const fitting = words.some((word) => LATIN.test(word))
    ? words.filter((word) => !IDEOGRAPH.test(word))
    : words.filter((word) => /\p{L}/u.test(word));
  return (fitting.length > 0 ? fitting : words).slice(0, MAX_WORDS);
}

/** Looks for all words together and, where nothing has them all, for any of them. Most questions have a word too many. */
export async function allThenAny<T>(words: readonly string[], look: (operator: "AND" | "OR") => Promise<T[]>): Promise<T[]> {
  const found = await look("AND");
  return found.length > 0 || words.length < 2 ? found : look("OR");
}
