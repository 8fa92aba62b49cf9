import { foldLetters } from "../../ranking/fold-letters.ts";

/** A sign of inches or minutes stands directly behind a digit: `5" of rain`. */
const QUOTATION = /(?:(?<!\d)"|[“„«「『])([^“”"„«»「」『』]{6,2000})[”“"»」』]/gu;
const CUT = /\[[^[\]]{0,200}\]|\.{3,}|…+/u;
const WORD = /[\p{L}\p{N}]+/gu;
const HAN = /\p{sc=Han}/gu;
/** Shorter words between quotation marks are mostly terms and not what somebody said. */
const [MIN_WORDS, MIN_CHARACTERS] = [3, 6];

/** The letters of all texts that may have the words. */
export type Quotable = () => readonly string[];

/** Reads once, and only if a sentence quotes something, what sentences may quote: documents, and other texts, such as the question. */
export function readQuotable(sources: () => readonly string[], others: readonly string[]): Quotable {
  let read: readonly string[] | undefined;
  return () => (read ??= [...new Set([...sources(), ...others])].map(lettersIn));
}

/**
 * Returns the words between quotation marks of a sentence that stand in none of the texts; null if there are none. Letters and digits are
 * compared. Words that are translated stand in no text either.
 */
export function missingQuotation(sentence: string, letters: Quotable): string | null {
  for (const [, words = ""] of sentence.matchAll(QUOTATION)) {
    const parts = words.split(CUT).filter(isLong).map(lettersIn);
    if (!parts.every((part) => letters().some((text) => text.includes(part)))) return words;
  }
  return null;
}

function isLong(words: string): boolean {
  return (words.match(HAN)?.length ?? 0) >= MIN_CHARACTERS || (words.replaceAll(HAN, " ").match(WORD)?.length ?? 0) >= MIN_WORDS;
}

function lettersIn(text: string): string {
  return foldLetters(text.normalize("NFKC")).replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
