import { type Sentence, textOf } from "./sentences.ts";

const QUESTION_END = /[?？؟]["'”’」』»)）\]*_\s]*$/;
/** Between the words of breadcrumbs, menus and rows of links. */
const NAVIGATION = /\s[|›»·•>/→]\s/g;
const MIN_NAVIGATION_MARKS = 3;

/** Whether a sentence can be quoted by itself: two terms at least, and no heading, question, code or menu. */
export function isQuotable(sentence: Sentence): boolean {
  if (sentence.kind === "heading" || sentence.kind === "code" || sentence.terms.size < 2) return false;
  const text = textOf(sentence);
  if (QUESTION_END.test(text)) return false;
  return sentence.kind === "table-row" || /[.。!！]/.test(text) || (text.match(NAVIGATION)?.length ?? 0) < MIN_NAVIGATION_MARKS;
}
