import { DossierError } from "../../errors.ts";
import { keywords } from "../../ranking/query-terms.ts";
import { cutText } from "./text.ts";

export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split("-", 1)[0] ?? "";
}

export function isTraditionalChinese(tag: string): boolean {
  return /^zh\b.*-(?:hant|tw|hk|mo)\b/i.test(tag);
}

export function questionLine(text: string, maxLength: number): string {
  return joinWithin(text.normalize("NFC").toWellFormed().trim().split(/\s+/), " ", maxLength);
}

export function keywordLine(text: string, maxLength: number): string {
  return joinWithin(keywords(text), " ", maxLength);
}

/** Joins the words that fit. Cuts only the first word, because a Chinese question can be one long word. */
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

/** Services refuse long URLs. A Chinese character becomes nine characters in a URL. */
const MAX_WORDS = 16;
const MAX_CHARACTERS = 300;
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const LATIN = /\p{sc=Latin}/u;

/** Returns the content words: at most 16 words and 300 characters. @throws DossierError `empty` if there are none */
export function queryWords(question: string): string[] {
  return bounded(keywords(question));
}

/** Returns the words for an English index: `Transformer` for "Transformer 的复杂度". @throws DossierError `empty` if there are none */
export function englishWords(question: string): string[] {
  const words = keywords(question);
  const fitting = words.some((word) => LATIN.test(word))
    ? words.filter((word) => !EAST_ASIAN.test(word))
    : words.filter((word) => /\p{L}/u.test(word));
  return bounded(fitting.length > 0 ? fitting : words);
}

function bounded([first, ...more]: readonly string[]): string[] {
  // Some services answer an empty query with all their documents.
  if (first === undefined) throw new DossierError("empty", "Nothing was searched: the question contains no word to search for.");
  const kept = [cutText(first, MAX_CHARACTERS)];
  let length = first.length;
  for (const word of more.slice(0, MAX_WORDS - 1)) {
    length += word.length;
    if (length > MAX_CHARACTERS) break;
    kept.push(word);
  }
  return kept;
}

export async function allThenAny<T>(words: readonly string[], search: (operator: "AND" | "OR") => Promise<T[]>): Promise<T[]> {
  const found = await search("AND");
  return found.length > 0 || words.length < 2 ? found : search("OR");
}
