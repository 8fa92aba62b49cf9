import { DossierError } from "../../errors.ts";
import { keywords } from "../../ranking/query-terms.ts";
import { cutText } from "./text.ts";

/** The language of a tag without script and region: `zh` of `zh-Hant-TW`. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split("-", 1)[0] ?? "";
}

/** Whether a Chinese tag asks for traditional characters. */
export function isTraditionalChinese(tag: string): boolean {
  return /^zh\b.*-(?:hant|tw|hk|mo)\b/i.test(tag);
}

/** The question on one line, whole words only, at most `maxLength` characters: for services that take questions as they are asked. */
export function questionLine(text: string, maxLength: number): string {
  return joinWithin(text.normalize("NFC").toWellFormed().trim().split(/\s+/), " ", maxLength);
}

/** The words of the question that bear content, in one line of at most `maxLength` characters. */
export function keywordLine(text: string, maxLength: number): string {
  return joinWithin(keywords(text), " ", maxLength);
}

/** As many words as fit; a single word that does not fit, Chinese without spaces for instance, is cut. */
export function joinWithin(words: readonly string[], separator: string, maxLength: number): string {
  let line = Array.from(words[0] ?? "")
    .slice(0, maxLength)
    .join("");
  for (const word of words.slice(1)) {
    if (line.length + separator.length + word.length > maxLength) break;
    line += separator + word;
  }
  return line;
}

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
