import { readAmounts } from "../figures/amounts.ts";
import { readDates } from "../figures/dates.ts";
import { plainText } from "../figures/plain-text.ts";

/** Words that say nothing of an amount. Prepositions, auxiliaries such as "may" and 将 are missing, because they do. */
const FUNCTION_WORDS = new Set(
  "a an the it its this that these their of in on at to by for and as is are was were be been will has have had s 的 了 在 为 是 和 与 其".split(
    " ",
  ),
);
const WORD = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{Nd}])+/gu;
/** In UTF-16 code units. A longer text is taken to add something. */
const MAX_LENGTH = 4_000;

/** Whether all words of a sentence stand in the quotes, function words, amounts and dates apart. Then it can only leave something out. */
export function addsNoWord(sentence: string, quotes: readonly string[]): boolean {
  if (sentence.length > MAX_LENGTH) return false;
  const { rest } = readDates(plainText(sentence, false));
  const words = readAmounts(rest, false).reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    rest,
  );
  const quoted = new Set(wordsIn(quotes.map((quote) => plainText(quote, true)).join("\n")));
  return wordsIn(words).every((word) => FUNCTION_WORDS.has(word) || quoted.has(word));
}

function wordsIn(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}
