/** No script puts so many marks on one character, and NFKC takes quadratic time to order them. */
const TOO_MANY_MARKS = /(\p{M}{16})\p{M}+/gu;

/** `text` in Unicode's compatibility form (NFKC), with at most 16 marks on a character. Takes linear time. */
export function normalizeText(text: string): string {
  return text.replaceAll(TOO_MANY_MARKS, "$1").normalize("NFKC");
}
