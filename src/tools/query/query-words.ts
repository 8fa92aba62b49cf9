import { DossierError } from "../../errors.ts";
import { keywords } from "../../ranking/query-terms.ts";
import { cutText } from "../hits/cut-text.ts";

/** Services refuse long queries, and words far back in a long question say less. A Chinese character is nine in an address. */
const MAX_WORDS = 16;
const MAX_CHARACTERS = 300;
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const LATIN = /\p{sc=Latin}/u;

/** The words of a question for an index in any language, at most 16 and 300 characters; a single longer word is cut. @throws DossierError `empty` */
export function queryWords(question: string): string[] {
  return bounded(keywords(question));
}

/**
 * The words of a question for an index that holds English only, bounded likewise: those that are not Chinese or Japanese where a
 * Latin one is among them ("Transformer 的复杂度" asks for `Transformer`). A question without one is asked as it is, so that
 * "nothing found" is what the service said; its numbers are left out, because they alone would find anything.
 */
export function englishWords(question: string): string[] {
  const words = keywords(question);
  const fitting = words.some((word) => LATIN.test(word))
    ? words.filter((word) => !IDEOGRAPH.test(word))
    : words.filter((word) => /\p{L}/u.test(word));
  return bounded(fitting.length > 0 ? fitting : words);
}

function bounded([first, ...more]: readonly string[]): string[] {
  // Some services answer an empty query with everything they have.
  if (first === undefined) throw new DossierError("empty", "Nothing was looked for: the question has no word in it.");
  const kept = [cutText(first, MAX_CHARACTERS)];
  let length = first.length;
  for (const word of more.slice(0, MAX_WORDS - 1)) {
    length += word.length;
    if (length > MAX_CHARACTERS) break;
    kept.push(word);
  }
  return kept;
}

/** Looks for all words together and, where nothing has them all, for any of them. Most questions have a word too many. */
export async function allThenAny<T>(words: readonly string[], look: (operator: "AND" | "OR") => Promise<T[]>): Promise<T[]> {
  const found = await look("AND");
  return found.length > 0 || words.length < 2 ? found : look("OR");
}
