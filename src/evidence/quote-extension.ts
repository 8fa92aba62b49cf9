import { isGraphemeBoundary, type Span } from "../ranking/sentences.ts";
import { readAmounts } from "./figures/amounts.ts";

/** In UTF-16 code units. Amounts and words are searched this far around a quote. */
const REACH = 48;
const WORD = /[\p{sc=Latin}\p{M}\p{Nd}]/u;
const NUMERAL = /[〇零一二两三四五六七八九十百千万亿兆点]/;
/** A minus before a number, where it is no range or hyphen. */
const SIGN = /(?<=^|[\s(（:：])[-−–]\s?$/;

/** Extends a quote to whole words and whole amounts: to "$27.2 billion" if only "27.2" was quoted, and to both ends of a range. */
export function extendQuote(text: string, { start, end }: Span): Span {
  const words = { start: wordEnd(text, start, -1), end: wordEnd(text, end, 1) };
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

/** Moves an end of a quote by whole characters to the end of its word. `step` is -1 for the first end. */
function wordEnd(text: string, at: number, step: 1 | -1): number {
  let end = at;
  while (Math.abs(end - at) < REACH && continues(text.charAt(end - 1), text.charAt(end))) end += step;
  return Math.abs(end - at) < REACH ? end : at;
}

function continues(before: string, behind: string): boolean {
  return [WORD, NUMERAL].some((kind) => kind.test(before) && kind.test(behind));
}

function withSign(text: string, start: number): number {
  return start - (SIGN.exec(text.slice(Math.max(0, start - 3), start))?.[0].length ?? 0);
}
