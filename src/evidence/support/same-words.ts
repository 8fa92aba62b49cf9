import type { Amount } from "../figures/amounts.ts";
import { readAmounts } from "../figures/amounts.ts";
import { isSameAmount } from "../figures/compare-amounts.ts";
import { readDates } from "../figures/dates.ts";
import { plainText } from "../figures/plain-text.ts";
import type { QuotedPlace } from "./quote-texts.ts";
import { quoteText } from "./quote-texts.ts";

interface Token {
  readonly word: string;
  readonly amount: Amount | null;
  /** `mark` is a punctuation mark, `date` a part of a date. */
  readonly kind: "word" | "mark" | "date";
}

/** Words that may be left out or added. Prepositions such as "to" and "by" are missing, because they change what an amount means. */
const FUNCTION_WORDS = new Set("a an the and that this these those its their of in on at s 的 了 和 与 及 并 且 也 为 是".split(" "));
/** Around a quote, these may turn the meaning of its words. */
const NEGATION =
  /\b(?:not|no|never|none|nor|neither|nobody|nothing|without|cannot|den(?:y|ie[sd])|refus(?:e[sd]?|ing)|fail(?:s|ed)?|\w+n't)\b|[不没否拒]|未(?!来)|非(?!常)|无(?!线)/i;
const TOKEN = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{Nd}])+|[,，;；:：()（）、.。!！?？—–"“”]/gu;
const MARK = /^[^\p{L}\p{M}\p{Nd}]/u;
const CLAUSE_END = /[,，;；:：.。!！?？\n]/;
const MAX_TOKENS = 600;
const REACH = 200;

/** Whether the words of a sentence, function words apart, stand in one quote in the same order. The quote may have more clauses and dates. */
export function standsInQuotes(sentence: string, places: readonly QuotedPlace[]): boolean {
  const wanted = tokensOf(sentence).filter(({ kind }) => kind !== "mark");
  if (wanted.length < 2 || wanted.length > MAX_TOKENS) return false;
  return places.some((place) => {
    const quote = tokensOf(quoteText(place));
    if (quote.length > MAX_TOKENS) return false;
    return quote.some((_, from) => {
      const end = endOf(wanted, quote, from);
      return end !== null && !isNegated(place, quote, from, end);
    });
  });
}

function tokensOf(text: string): Token[] {
  const plain = plainText(text, true);
  const { rest } = readDates(plain);
  const amounts = new Map(
    readAmounts(rest, false)
      .toReversed()
      .map((amount) => [amount.start, amount]),
  );
  const tokens: Token[] = [];
  let from = 0;
  for (const start of [...amounts.keys()].sort((a, b) => a - b)) {
    const amount = amounts.get(start);
    if (amount === undefined || start < from) continue;
    pushWords(plain, rest, { start: from, end: start }, tokens);
    tokens.push({ word: "", amount, kind: "word" });
    from = amount.end;
  }
  pushWords(plain, rest, { start: from, end: plain.length }, tokens);
  return tokens;
}

function pushWords(plain: string, rest: string, { start, end }: { readonly start: number; readonly end: number }, into: Token[]): void {
  for (const { 0: written, index } of plain.slice(start, end).matchAll(TOKEN)) {
    const word = written.toLowerCase();
    if (FUNCTION_WORDS.has(word)) continue;
    const isDate = rest.charAt(start + index) === " ";
    into.push({ word, amount: null, kind: MARK.test(word) ? "mark" : isDate ? "date" : "word" });
  }
}

/** Returns the end of the words in the quote, or null. One part of the quote between two punctuation marks may be left out. */
function endOf(wanted: readonly Token[], quote: readonly Token[], from: number): number | null {
  if (!isSame(wanted[0], quote[from])) return null;
  const marks: { readonly read: number; readonly at: number }[] = [];
  const straight = run(wanted, quote, 0, from, marks);
  if (straight !== null) return straight;
  for (const { read, at } of marks) {
    const next = quote.findIndex(({ kind }, i) => i > at && kind === "mark");
    const end = next < 0 ? null : run(wanted, quote, read, next + 1, []);
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
    else if (token.kind === "mark") marks.push({ read, at });
    else if (token.kind !== "date") return null;
  }
  return at;
}

function isSame(one: Token | undefined, two: Token | undefined): boolean {
  if (one === undefined || two === undefined || one.kind === "mark" || two.kind === "mark") return false;
  if (one.amount === null || two.amount === null) return one.amount === two.amount && one.word === two.word;
  return isSameAmount(one.amount, two.amount);
}

function isNegated({ text, start, end }: QuotedPlace, quote: readonly Token[], from: number, to: number): boolean {
  const clauseStart = quote.findLastIndex(({ kind }, i) => i < from && kind === "mark");
  const clauseEnd = quote.findIndex(({ kind }, i) => i >= to && kind === "mark");
  const words = (tokens: readonly Token[]): string => tokens.map(({ word }) => word).join(" ");
  const before =
    clauseStart < 0
      ? (text
          .slice(Math.max(0, start - REACH), start)
          .split(CLAUSE_END)
          .at(-1) ?? "")
      : "";
  const behind = clauseEnd < 0 ? (text.slice(end, end + REACH).split(CLAUSE_END, 1)[0] ?? "") : "";
  const rest = [
    before,
    words(quote.slice(clauseStart + 1, from)),
    words(quote.slice(to, clauseEnd < 0 ? quote.length : clauseEnd)),
    behind,
  ];
  return rest.some((part) => NEGATION.test(part));
}
