import { foldLetters } from "../../ranking/fold-letters.ts";
import { splitSentences } from "../../ranking/sentences.ts";
import { type Amount, readAmounts } from "../figures/amounts.ts";
import { isEqualAmount } from "../figures/compare-amounts.ts";
import { readDates } from "../figures/dates.ts";
import { plainText } from "../figures/plain-text.ts";
import type { QuotedPlace } from "./quote-texts.ts";

/** A word, or a whole amount with its sign. Offsets are those in the plain text. */
interface Token {
  readonly word: string;
  readonly amount: Amount | null;
  readonly start: number;
  readonly end: number;
}

interface Words {
  readonly plain: string;
  readonly tokens: readonly Token[];
}

const TOKEN = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{Nd}])+/gu;
/** A minus before an amount, maybe with a currency between. Behind a letter or a figure it is a hyphen or makes a range. */
const MINUS = /(?<![\p{sc=Latin}\p{Nd}])-\p{Sc}?$/u;
/** Lines of tables, lists and headings are sentences of their own. */
const LINE = /\n(?=\s{0,3}(?:[|#>*•-]|\d{1,3}[.)])|[^\n]*\s\|\s)/;
const ITEM = /^\s*(?:[*•-]|\d{1,3}[.)])\s/;
/** May stand before the first word. Behind a quotation mark somebody else says it. */
const LEAD = /^[\s|#>*_•–—,:-]*(?:\d{1,3}[.)]\s)?$/;
const OPENING = /["“”„«「『'‘]\s*$/;
const CLAUSE_END = /^[\s|*_"'”’»」』)\]]*(?:$|[,;.!。])/;
const QUESTION = /\?[^\p{L}\p{N}]*$/u;
/** In UTF-16 code units. A sentence that begins further before its quote, or ends further behind it, is not compared. */
const REACH = 1_000;
const MAX_TOKENS = 600;

/**
 * Whether the words of a sentence stand together in one quote, begin where a sentence of the document begins, and end where a clause ends. Words before
 * them could deny them, and words of their clause behind them could say of what they hold. Only the date of a day may precede.
 */
export function standsInQuotes(sentence: string, places: readonly QuotedPlace[]): boolean {
  const wanted = readWords(sentence);
  const { length } = wanted.tokens;
  return length > 0 && length <= MAX_TOKENS && places.some((place) => sentencesAt(place).some((one) => says(one, wanted)));
}

export function hasSameWords(one: string, other: string): boolean {
  const [{ tokens: words }, { tokens: others }] = [readWords(one), readWords(other)];
  return words.length === others.length && standAt(words, others, 0);
}

/** Returns the sentences of the document that a place begins, ends or lies in, and the part of each that is quoted. */
function* sentencesAt({ text, start, end }: QuotedPlace): Generator<{ readonly whole: string; readonly quoted: string }> {
  const first = Math.max(0, start - REACH);
  for (const span of splitSentences(text, first, end + REACH)) {
    let from = span.start;
    for (const whole of text.slice(span.start, span.end).split(LINE)) {
      const to = from + whole.length;
      const isBegun = first > 0 && from === first;
      if (from < end && to > start && !isBegun && !isFramed(text.slice(first, from), whole))
        yield { whole, quoted: text.slice(Math.max(from, start), Math.min(to, end)) };
      from = to + 1;
    }
  }
}

/** Whether a sentence stands behind the first cell of a row, or behind a colon, also as an item: "The court rejected these claims:". */
function isFramed(before: string, sentence: string): boolean {
  const isItem = ITEM.test(sentence);
  const lines = before.split("\n");
  const above = lines.findLast((line) => line.trim() !== "" && !(isItem && ITEM.test(line)));
  return lines.at(-1)?.includes("|") === true || /[:：]\s*$/.test(above ?? "");
}

function says({ whole, quoted }: { readonly whole: string; readonly quoted: string }, sentence: Words): boolean {
  const wanted = sentence.tokens;
  const { plain, tokens } = readWords(whole);
  if (QUESTION.test(plain)) return false;
  const start = tokens.findIndex((_, i) => standAt(wanted, tokens, i));
  const [first, last] = [tokens[start], tokens[start + wanted.length - 1]];
  if (first === undefined || last === undefined || !CLAUSE_END.test(plain.slice(last.end))) return false;
  const isOpened = OPENING.test(sentence.plain.slice(0, wanted[0]?.start));
  const lead = plain.slice(0, first.start);
  if (!mayPrecede(isOpened ? lead.replace(OPENING, "") : lead)) return false;
  const { tokens: own } = readWords(quoted);
  return own.some((_, i) => standAt(wanted, own, i));
}

function mayPrecede(lead: string): boolean {
  const { dates, rest } = readDates(lead);
  return LEAD.test(rest) && dates.flat().every(({ day, weekday }) => day !== undefined || weekday !== undefined);
}

function standAt(wanted: readonly Token[], tokens: readonly Token[], at: number): boolean {
  return wanted.every((token, i) => isSame(token, tokens[at + i]));
}

function isSame(one: Token, two: Token | undefined): boolean {
  if (two === undefined || one.word !== two.word) return false;
  return one.amount === null || two.amount === null ? one.amount === two.amount : isEqualAmount(one.amount, two.amount);
}

function readWords(text: string): Words {
  const plain = plainText(text, true);
  const amounts = readAmounts(readDates(plain).rest, false);
  const tokens: Token[] = [];
  let next = 0;
  for (const { 0: written, index } of plain.matchAll(TOKEN)) {
    while ((amounts[next]?.end ?? index + 1) <= index) next++;
    const amount = amounts[next];
    const end = index + written.length;
    if (amount === undefined || amount.start > index) tokens.push({ word: foldLetters(written), amount: null, start: index, end });
    else if (tokens.at(-1)?.amount !== amount) {
      const sign = MINUS.test(plain.slice(0, amount.start)) ? "-" : "";
      // The rest of "1st" is no unit.
      tokens.push({ word: sign + plain.slice(amount.end, end), amount, start: amount.start, end: Math.max(end, amount.end) });
    }
  }
  return { plain, tokens };
}
