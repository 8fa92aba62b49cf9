import { type Sentence, textOf } from "./passages.ts";
import { isComplete, isQuestion } from "./sentence-end.ts";

/** What has no end mark must be longer, in characters: buttons and labels are short. */
const MIN_LENGTH = 20;
const MIN_UNSPACED_LENGTH = 8;
/** What has one need only be more than a word: "He left." and 它已关闭。 */
const MIN_WORDS = 2;
const MIN_UNSPACED_CHARACTERS = 4;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
/** Numbers of pages and pictures, and buttons, that end like a sentence. */
const SCRAP =
  /^(?:(?:pages?|p|pp|fig|figures?|tables?|chapters?|sections?|parts?|steps?|vol|volumes?|no|notes?)\.?\s*[\p{N}.]+|(?:read|learn|show|see|load) more|click here|第\s?[\p{N}一二三四五六七八九十百]+\s?[页頁章节節步]|点击(?:这里|此处)|(?:了解|查看|閱讀|阅读)更多|(?:阅读|閱讀)全文)[.。!！]?$/iu;
/** Between the words of breadcrumbs, menus and rows of links. */
const NAVIGATION = /\s[|›»·•>/→]\s/g;
const MIN_NAVIGATION_MARKS = 3;
/** When, and nothing else, as above an article; a label ("Opened: 2 May 1931") makes it a statement. */
const DATES =
  /\d{4}\s?年(?:\s?\d{1,2}\s?月)?(?:\s?\d{1,2}\s?日)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?|\b\d{1,2}\s+\p{Lu}\p{Ll}+\s+\d{4}\b|\b\p{Lu}\p{Ll}+\s+\d{1,2},\s*\d{4}\b/gu;
const LABEL = /\p{L}\s?(?::\s|：)/u;

/**
 * Whether a sentence can stand in a report by itself: no question, no scrap of navigation, no dateline, and either
 * complete (an end mark after two words, or four characters of Chinese, Japanese or Korean) or long enough to say something (20 characters,
 * 8 in those languages, two terms for list items and table rows).
 */
export function isQuotable(sentence: Sentence): boolean {
  const text = textOf(sentence);
  if (isQuestion(text) || SCRAP.test(text)) return false;
  if (sentence.kind === "list-item" || sentence.kind === "table-row") return sentence.terms.length >= 2;
  if (isComplete(text)) return saysSomething(text);
  if (!isLong(text) || (!LABEL.test(text) && !isLong(text.replaceAll(DATES, "")))) return false;
  return /[.。!！]/.test(text) || (text.match(NAVIGATION)?.length ?? 0) < MIN_NAVIGATION_MARKS;
}

function isLong(text: string): boolean {
  return text.length >= (UNSPACED.test(text) ? MIN_UNSPACED_LENGTH : MIN_LENGTH);
}

/** Two words of which one is of letters; a button such as "OK." and a number such as "12. 5." are none. */
function saysSomething(text: string): boolean {
  if (UNSPACED.test(text)) return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_UNSPACED_CHARACTERS;
  return /\p{L}{2}/u.test(text) && (text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0) >= MIN_WORDS;
}
