/** No script puts so many marks on one character, and NFKC takes quadratic time to order them. */
const TOO_MANY_MARKS = /(\p{M}{16})\p{M}+/gu;

/** Soft hyphens, zero-width spaces and other joints that nobody sees: they would hide the word they stand in. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** `text` in Unicode's compatibility form (NFKC), without invisible joints, with at most 16 marks on a character. Takes linear time. */
export function normalizeText(text: string): string {
  return text.replaceAll(INVISIBLE, "").replaceAll(TOO_MANY_MARKS, "$1").normalize("NFKC");
}
