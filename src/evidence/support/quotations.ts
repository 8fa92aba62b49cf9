import { detectLanguage } from "../../ranking/language.ts";
import { isStopWord } from "../../ranking/query-terms.ts";

/** A sign of inches or minutes stands directly behind a digit: `5" of rain`. */
const QUOTATION = /(?:(?<!\d)"|[“„«「『])([^“”"„«»「」『』]{6,2000})[”“"»」』]/gu;
const CUT = /\[[^[\]]{0,200}\]|\.{3,}|…+/u;
const WORD = /[\p{L}\p{N}]+/gu;
const HAN = /\p{sc=Han}/gu;
/** Shorter words between quotation marks are mostly terms and not what somebody said. */
const [MIN_WORDS, MIN_CHARACTERS] = [3, 6];
/** In UTF-16 code units. */
const SAMPLE = 2_000;

export interface Quotable {
  /** Documents. Their languages tell whether words may be translated. */
  readonly sources: () => readonly string[];
  /** The letters of all texts that may have the words. */
  readonly letters: () => readonly string[];
}

/** Reads once, and only if a sentence quotes something, what sentences may quote: documents, and other texts, such as the question. */
export function readQuotable(sources: () => readonly string[], others: readonly string[]): Quotable {
  let read: readonly string[] | undefined;
  return { sources, letters: () => (read ??= [...new Set([...sources(), ...others])].map(lettersOf)) };
}

/**
 * Returns the words between quotation marks of a sentence that stand in none of the texts; null if there are none. Letters and digits are
 * compared. Nothing is known of words if no source is in their language, because they may be translated.
 */
export function missingQuotation(sentence: string, { sources, letters }: Quotable): string | null {
  for (const [, words = ""] of sentence.matchAll(QUOTATION)) {
    const parts = words.split(CUT).filter(isLong);
    if (parts.length === 0 || !sources().some((text) => isSameLanguage(text, words, sentence))) continue;
    if (!parts.map(lettersIn).every((part) => letters().some((text) => text.includes(part)))) return words;
  }
  return null;
}

function isLong(words: string): boolean {
  return (words.match(HAN)?.length ?? 0) >= MIN_CHARACTERS || (words.replaceAll(HAN, " ").match(WORD)?.length ?? 0) >= MIN_WORDS;
}

/** Whether a text may be in the language of words. Of languages in Latin script English is told from others, by the sentence around the words. */
function isSameLanguage(text: string, words: string, sentence: string): boolean {
  if (!/\p{L}/u.test(text)) return false;
  const language = detectLanguage(words);
  if (detectLanguage(text) !== language) return false;
  if (language !== "en") return true;
  const [one, two] = [isEnglish(text), isEnglish(sentence)];
  return one === null || two === null || one === two;
}

/** Nearly half of the words of English texts are stop words. Other languages share a few of them. */
const [ENGLISH_SHARE, OTHER_SHARE] = [0.25, 0.12];
const MIN_COUNTED = 8;

/** Null if the text is short or has few sentences. */
function isEnglish(text: string): boolean | null {
  const words =
    text
      .slice(0, SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < MIN_COUNTED) return null;
  const share = words.filter(isStopWord).length / words.length;
  return share >= ENGLISH_SHARE ? true : share < OTHER_SHARE ? false : null;
}

/** Many sentences cite the same documents. */
const kept = new Map<string, string>();
const MAX_KEPT = 20;

function lettersOf(text: string): string {
  const known = kept.get(text) ?? lettersIn(text);
  kept.delete(text);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(text, known);
  return known;
}

function lettersIn(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
