const QUOTATION = /[“"„«「『]([^“”"„«»「」『』]{6,2000})[”“"»」』]/gu;
const CUT = /\[[^[\]]{0,200}\]|\.{3,}|…+/u;
const WORD = /[\p{L}\p{N}]+/gu;
const HAN = /\p{sc=Han}/gu;
/** Shorter words between quotation marks are mostly terms and not what somebody said. */
const [MIN_WORDS, MIN_CHARACTERS] = [3, 6];
/** In UTF-16 code units. */
const SAMPLE = 2_000;
const MAX_KEPT = 20;

/**
 * Returns the words between quotation marks of a sentence that stand in none of the texts; null if there are none. Letters and digits are
 * compared. Nothing is known of words if no text is in their script, because they may be translated.
 */
export function missingQuotation(sentence: string, texts: readonly string[]): string | null {
  for (const [, words = ""] of sentence.matchAll(QUOTATION)) {
    const parts = words.split(CUT).filter(isLong);
    if (parts.length === 0) continue;
    const readable = texts.filter((text) => text !== "" && isChinese(text) === isChinese(words)).map(lettersOf);
    if (readable.length > 0 && !parts.every((part) => readable.some((text) => text.includes(lettersIn(part))))) return words;
  }
  return null;
}

function isLong(words: string): boolean {
  return (words.match(HAN)?.length ?? 0) >= MIN_CHARACTERS || (words.replaceAll(HAN, " ").match(WORD)?.length ?? 0) >= MIN_WORDS;
}

function isChinese(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  return (sample.match(HAN)?.length ?? 0) * 5 > (sample.match(/\p{L}/gu)?.length ?? 0);
}

/** Many sentences cite the same documents. */
const kept = new Map<string, string>();

function lettersOf(text: string): string {
  const known = kept.get(text) ?? lettersIn(text);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, known);
  return known;
}

function lettersIn(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
