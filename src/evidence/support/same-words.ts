import { foldLetters } from "../../ranking/fold-letters.ts";
import { type Span, splitSentences } from "../../ranking/sentences.ts";
import type { Amount } from "../figures/amounts.ts";
import { readAmounts } from "../figures/amounts.ts";
import { isEqualAmount, measureSame } from "../figures/compare-amounts.ts";
import { readDates } from "../figures/dates.ts";
import { plainText } from "../figures/plain-text.ts";
import type { QuotedPlace } from "./quote-texts.ts";
import { quoteText } from "./quote-texts.ts";

interface Token {
  readonly word: string;
  readonly amount: Amount | null;
  readonly isNegative?: boolean;
  /** `clause` is a mark between clauses, `stop` the end of a sentence, `mark` another punctuation mark. */
  readonly kind: "word" | "date" | "mark" | "clause" | "stop";
  /** Whether "and" stands before it. */
  readonly isJoined?: boolean;
}

/** Words that may be left out or added. Prepositions such as "to" and "by" are missing, because they change what an amount means. */
const FUNCTION_WORDS = new Set("a an the and that this these those its their of in on at s 的 了 和 与 及 并 且 也 为 是".split(" "));
/** The auxiliaries of tense. Those of possibility, such as "may", and 将 say something of an amount. */
const TENSE = /^(?:is|are|was|were|be|been|will|has|have|had)$/;
const AND = /^(?:and|和|与|及|并|且)$/;
/** The words of conditions, a closed class, and the sign of a question. Wherever they stand in a sentence, it does not say what it says before them. */
const CONDITION = /^(?:if|unless|except|provided|[若除?？])$/i;
const TOKEN = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{Nd}])+|[,，;；:：()（）、.。!！?？|]|(?<= )-(?!\S)/gu;
const MARK = /^[^\p{L}\p{M}\p{Nd}]/u;
const CLAUSE = /^[,，;；:：|-]/;
/** Lines of tables, lists and headings are sentences of their own. */
const LINE = /\n(?=\s{0,3}(?:[|#>*-]|\d+[.)]))/;
/** A minus before an amount, maybe with a currency between. Behind a letter or a figure it is a hyphen or makes a range. */
const MINUS = /(?<![\p{sc=Latin}\p{Nd}])[-−–]\p{Sc}?$/u;
const YEAR = /^(?:19|20)\d\d$/;
/** Other words of a clause that only dates another, such as "until the end of". */
const MAX_DATED = 2;
const MAX_TOKENS = 600;
const REACH = 400;

/**
 * Whether the words of a sentence, function words apart, stand in one quote in the same order. They begin a sentence of the document, maybe
 * behind its date, since words before them may say who thinks so or that it is false. They end a clause, since words behind them may say of what
 * or than what. No date stands behind them in their clause, and no condition in their sentence, which is no question. The quote may have more
 * clauses.
 */
export function standsInQuotes(sentence: string, places: readonly QuotedPlace[]): boolean {
  const wanted = tokensOf(sentence).filter(({ kind }) => kind === "word" || kind === "date");
  if (wanted.length > MAX_TOKENS) return false;
  return places.some((place) => {
    const quote = quoteText(place);
    const { before, behind } = around(place);
    // Read as one text, so that "120 km" cut out of "120 km/h" is still a rate.
    const tokens = tokensOf(before + quote + behind);
    if (tokens.length > MAX_TOKENS) return false;
    const [first, last] = [Math.max(0, tokensOf(before).length - 1), tokens.length - tokensOf(behind).length];
    return tokens.slice(first, last).some((_, i) => {
      const start = first + i;
      const end = endOf(wanted, tokens, start);
      return end !== null && end <= last && isWhole(wanted, tokens, { start, end });
    });
  });
}

/** Whether all words of a sentence stand in the quotes, function words, tenses, amounts and dates apart. Then it can only leave something out. */
export function addsNoWord(sentence: string, places: readonly QuotedPlace[]): boolean {
  const wordsIn = (text: string): string[] =>
    tokensOf(text).flatMap(({ kind, word, amount }) => (kind === "word" && amount === null ? [word] : []));
  const quoted = new Set(places.flatMap((place) => wordsIn(quoteText(place))));
  return wordsIn(sentence).every((word) => TENSE.test(word) || quoted.has(word));
}

/** Returns the rest of the sentences that the quote begins and ends in. */
function around({ text, start, end }: QuotedPlace): { readonly before: string; readonly behind: string } {
  const spans = splitSentences(text, Math.max(0, start - REACH), Math.min(text.length, end + REACH));
  const first = spans.find((span) => span.end > start)?.start ?? start;
  const last = spans.findLast((span) => span.start < end)?.end ?? end;
  return {
    before: text.slice(first, Math.max(first, start)).split(LINE).at(-1) ?? "",
    behind: text.slice(end, Math.max(end, last)).split(LINE, 1)[0] ?? "",
  };
}

/** Each sentence ends with a `stop`. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { start, end } of splitSentences(text)) {
    pushSentence(plainText(text.slice(start, end), true), tokens);
    tokens.push({ word: "", amount: null, kind: "stop" });
  }
  return tokens;
}

function pushSentence(plain: string, into: Token[]): void {
  const { rest } = readDates(plain);
  const amounts = readAmounts(rest, false);
  let next = 0;
  let isJoined = false;
  let date: Span | null = null;
  const pushDate = (): void => {
    if (date !== null) into.push({ word: plain.slice(date.start, date.end), amount: null, kind: "date" });
    date = null;
  };
  for (const { 0: written, index } of plain.matchAll(TOKEN)) {
    const word = foldLetters(written);
    while ((amounts[next]?.end ?? index + 1) <= index) next++;
    const amount = amounts[next];
    if (amount !== undefined && amount.start <= index) {
      pushDate();
      if (into.at(-1)?.amount !== amount)
        into.push({
          word: amount.text,
          amount,
          isNegative: MINUS.test(plain.slice(0, amount.start)),
          kind: YEAR.test(amount.text) ? "date" : "word",
        });
    } else if (rest.charAt(index) === " ") {
      // A date was read here.
      date = { start: (date ?? { start: index }).start, end: index + written.length };
    } else {
      pushDate();
      if (!FUNCTION_WORDS.has(word))
        into.push({ word, amount: null, kind: CLAUSE.test(word) ? "clause" : MARK.test(word) ? "mark" : "word", isJoined });
    }
    isJoined = AND.test(word);
  }
  pushDate();
}

const isMark = ({ kind }: Token): boolean => kind !== "word" && kind !== "date";

/** Returns the end of the words in the quote, or null. One part of the quote between two punctuation marks may be left out. */
function endOf(wanted: readonly Token[], quote: readonly Token[], from: number): number | null {
  if (!isSame(wanted[0], quote[from])) return null;
  const marks: { readonly read: number; readonly at: number }[] = [];
  const straight = run(wanted, quote, 0, from, marks);
  if (straight !== null) return straight;
  for (const { read, at } of marks) {
    const next = quote.findIndex((token, i) => i > at && isMark(token));
    const isLeftOut = next >= 0 && !isDated(quote.slice(at + 1, next), wanted);
    const end = isLeftOut ? run(wanted, quote, read, next + 1, []) : null;
    if (end !== null) return end;
  }
  return null;
}

function run(
  wanted: readonly Token[],
  quote: readonly Token[],
  first: number,
  from: number,
  marks: { read: number; at: number }[],
): number | null {
  let at = from;
  for (let read = first; read < wanted.length; at++) {
    const token = quote[at];
    if (token === undefined) return null;
    if (isSame(wanted[read], token)) read++;
    else if (isMark(token)) marks.push({ read, at });
    else if (token.kind !== "date" || isDateLeftOut(token, wanted)) return null;
  }
  return at;
}

function isSame(one: Token | undefined, two: Token | undefined): boolean {
  if (one === undefined || two === undefined || one.kind !== two.kind || isMark(one)) return false;
  if (one.amount !== null && two.amount !== null) return one.isNegative === two.isNegative && isEqualAmount(one.amount, two.amount);
  if (one.amount !== two.amount) return false;
  return one.word === two.word;
}

/** Whether the words from `start` to `end` are not cut out of what turns their meaning or says when they hold. */
function isWhole(wanted: readonly Token[], tokens: readonly Token[], { start, end }: Span): boolean {
  const before = tokens.slice(tokens.findLastIndex(({ kind }, i) => i < start && kind === "stop") + 1, start);
  if (before.some(({ kind }) => kind === "word")) return false;
  const behind = tokens.slice(end);
  const stop = behind.findIndex(({ kind }) => kind === "stop");
  const sentence = stop < 0 ? behind : behind.slice(0, stop);
  const [rest = [], next = []] = clausesOf(sentence);
  const lastAmount = wanted.findLast(({ amount }) => amount !== null);
  if (!isEnd(rest, lastAmount) || sentence.some(({ word }) => CONDITION.test(word))) return false;
  return !rest.some((token) => isDateLeftOut(token, wanted)) && ![...clausesOf(before), next].some((clause) => isDated(clause, wanted));
}

/** Whether words may end before the rest of their clause: it has no words, is joined by "and", or says what their last amount was before, "from 9.8%". */
function isEnd([first, second]: readonly Token[], last: Token | undefined): boolean {
  if (first?.kind !== "word" || first.isJoined === true) return true;
  return first.word === "from" && second?.amount != null && last?.amount != null && measureSame(last.amount, second.amount);
}

function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "clause") clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses;
}

/** Whether a clause says hardly more than a date, such as "In the first half of 2024". */
function isDated(clause: readonly Token[], wanted: readonly Token[]): boolean {
  return clause.some((token) => isDateLeftOut(token, wanted)) && clause.filter(({ kind }) => kind === "word").length <= MAX_DATED;
}

/** A day of the week is no period. */
function isDateLeftOut(token: Token, wanted: readonly Token[]): boolean {
  if (token.kind !== "date" || wanted.some((one) => isSame(one, token))) return false;
  return (
    token.amount !== null ||
    readDates(token.word)
      .dates.flat()
      .some(({ weekday }) => weekday === undefined)
  );
}
