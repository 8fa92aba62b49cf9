import { type Sentence, textOf } from "./passages.ts";

const MIN_LENGTH = 20;
const MIN_UNSPACED_LENGTH = 8;
const QUESTION_END = /[?？؟]["'”’」』)）]*$/;
/** Between the words of breadcrumbs, menus and rows of links. */
const NAVIGATION = /\s[|›»·•>/→]\s/g;
const MIN_NAVIGATION_MARKS = 3;

/**
 * Whether a sentence can stand in a report by itself: no question, no scrap of navigation, and long
 * enough to say something (20 characters, 8 in Chinese, Japanese or Korean, two terms for list items and table rows).
 */
export function isQuotable(sentence: Sentence): boolean {
  const text = textOf(sentence);
  if (QUESTION_END.test(text)) return false;
  if (sentence.kind === "list-item" || sentence.kind === "table-row") return sentence.terms.length >= 2;
  const minLength = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text) ? MIN_UNSPACED_LENGTH : MIN_LENGTH;
  return text.length >= minLength && (/[.。!！]/.test(text) || (text.match(NAVIGATION)?.length ?? 0) < MIN_NAVIGATION_MARKS);
}
