import { isGraphemeBoundary, type Span } from "../ranking/sentences.ts";
import { readAmounts } from "./figures/amounts.ts";

/** In UTF-16 code units. Amounts and words are searched this far around a quote. */
const REACH = 48;
const WORD = /[\p{sc=Latin}\p{M}\p{Nd}]/u;
const NUMERAL = /[〇零一二两三四五六七八九十百千万亿兆点]/;
/** A sign before a number, where it is no range or hyphen. */
const SIGN = /(?:^|[\s(（:：])[-−–]\s?$/;

/** Extends a quote to whole words and whole amounts: to "$27.2 billion" if only "27.2" was quoted, and to both ends of a range. */
export function extendQuote(text: string, { start, end }: Span): Span {
  const words = { start: wordStart(text, start), end: wordEnd(text, end) };
  const around = { start: Math.max(0, start - REACH), end: Math.min(text.length, end + REACH) };
  let extended = words;
  for (const span of [
    { start: around.start, end: Math.min(around.end, start + REACH) },
    { start: Math.max(around.start, end - REACH), end: around.end },
  ])
    for (const { reach } of readAmounts(text.slice(span.start, span.end), false)) {
      const amount = { start: span.start + reach.start, end: span.start + reach.end };
      if (amount.start < extended.end && amount.end > extended.start)
        extended = { start: Math.min(extended.start, withSign(text, amount.start)), end: Math.max(extended.end, amount.end) };
    }
  return isGraphemeBoundary(text, extended.start) && isGraphemeBoundary(text, extended.end) ? extended : { start, end };
}

function withSign(text: string, start: number): number {
  const sign = SIGN.exec(text.slice(Math.max(0, start - 3), start))?.[0].trimStart() ?? "";
  return start - sign.replace(/^[(（:：]\s*/, "").length;
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < REACH && continues(text.charAt(start - 1), text.charAt(start))) start--;
  return at - start < REACH ? start : at;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < REACH && continues(text.charAt(end - 1), text.charAt(end))) end++;
  return end - at < REACH ? end : at;
}

function continues(before: string, behind: string): boolean {
  return (WORD.test(before) && WORD.test(behind)) || (NUMERAL.test(before) && NUMERAL.test(behind));
}
