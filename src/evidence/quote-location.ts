import { isGraphemeBoundary, type Span } from "../ranking/sentences.ts";
import { type FoldedText, foldText, LINE_HYPHENS, type LineHyphen, unitLength } from "./fold-text.ts";

/**
 * A text that may be cited under a short id, which is all a model is told of where it comes from. `start` and `end` bound the part
 * that was shown, in UTF-16 code units of `text`, which is the whole document that `contentHash` names.
 */
export interface Evidence {
  readonly id: string;
  readonly sourceId: string;
  /** Names in it are known; it cannot be cited. */
  readonly title?: string;
  readonly contentHash: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Shorter quotes stand everywhere. An ideograph says as much as two letters. */
const MIN_WEIGHT = 8;
/** Longer ones are copies; and the search for them would no longer take linear time. */
const MAX_QUOTE_LENGTH = 2_000;
const MAX_PARTS = 4;
/** How many places are looked at where the first ones would cut a character from its marks. */
const MAX_PLACES = 50;
const WIDE_CHARACTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const CUT_BEFORE = /\p{Nd}[.,]?\p{Nd}$/u;
const CUT_BEHIND = /^\p{Nd}(?:[.,]?\p{Nd}|[\u00b2\u00b3\u00b9\u2070-\u2079])/u;
const ELLIPSIS = /\s*(?:\[\s*(?:\.{3,}|…+)\s*\]|\(\s*(?:\.{3,}|…+)\s*\)|\.{3,}|…+)\s*/;

/** Where a quote stands in the text of a piece of evidence; empty where it does not. */
type QuoteLocator = (quote: string, evidence: Evidence) => Span[];

/**
 * A locator that remembers how the last document is spelt. A quote is looked for as it is, in the shown part first, then in the whole
 * document; then in the spelling of `foldText`, case and all else unchanged. One with an ellipsis that stands nowhere as it is
 * counts as quotes of its own (at most four), which must stand in that order. The offsets are of `evidence.text` and cut no
 * character. Quotes of fewer than 8 characters (4 ideographs) stand nowhere, unless the whole evidence is as short.
 */
export function createQuoteLocator(): QuoteLocator {
  const folds = createFoldCache();
  return (quote, evidence) => {
    const whole = quote.trim();
    if (whole.length === 0 || whole.length > MAX_QUOTE_LENGTH || !whole.isWellFormed()) return [];
    const found = locateOne(whole, evidence, 0, folds);
    return found === null ? locateParts(whole, evidence, folds) : [found];
  };
}

/** One search without memory; see `createQuoteLocator`. */
export function locateQuote(quote: string, evidence: Evidence): Span[] {
  return createQuoteLocator()(quote, evidence);
}

type Folds = (key: string, text: string, lineHyphen: LineHyphen) => FoldedText;

/** Of the last text only: an offset for each character is much to keep. */
function createFoldCache(): Folds {
  let current = "";
  let known = new Map<LineHyphen, FoldedText>();
  return (key, text, lineHyphen) => {
    if (key !== current) {
      current = key;
      known = new Map();
    }
    const folded = known.get(lineHyphen) ?? foldText(text, lineHyphen);
    known.set(lineHyphen, folded);
    return folded;
  };
}

function locateParts(quote: string, evidence: Evidence, folds: Folds): Span[] {
  const parts = quote.split(new RegExp(ELLIPSIS, "g")).filter((part) => part !== "");
  if ((parts.length === 1 && parts[0] === quote) || parts.length > MAX_PARTS) return [];
  const spans: Span[] = [];
  for (const part of parts) {
    const span = locateOne(part, evidence, spans.at(-1)?.end ?? 0, folds);
    if (span === null) return [];
    spans.push(span);
  }
  return spans;
}

/** The quote at or behind `from`. */
function locateOne(quote: string, evidence: Evidence, from: number, folds: Folds): Span | null {
  const { text, contentHash } = evidence;
  if (!isLongEnough(quote, evidence)) return null;
  const shown = { start: Math.max(from, evidence.start), end: Math.max(from, evidence.end) };
  const exact = findExact(quote, text, shown) ?? findExact(quote, text, { start: from, end: text.length });
  if (exact !== null) return exact;
  // What is shown is a small part; where it is not, the whole is folded once and for all.
  const isPart = shown.end - shown.start <= text.length / 2;
  const near = isPart && findFolded(quote, text, shown, from, (mode) => foldText(text.slice(shown.start, shown.end), mode));
  return near || findFolded(quote, text, { start: 0, end: text.length }, from, (mode) => folds(contentHash, text, mode));
}

function isLongEnough(quote: string, { text, start, end }: Evidence): boolean {
  if (!/[\p{L}\p{N}]/u.test(quote)) return false;
  const weight = weightOf(quote);
  return weight >= MIN_WEIGHT || (end - start <= MIN_WEIGHT && weight >= weightOf(text.slice(start, end)));
}

function weightOf(text: string): number {
  let weight = 0;
  for (const character of text) {
    if (/\s/.test(character)) continue;
    weight += WIDE_CHARACTER.test(character) ? 2 : 1;
    if (weight >= MIN_WEIGHT) break;
  }
  return weight;
}

function findExact(quote: string, text: string, { start, end }: Span): Span | null {
  const range = text.slice(start, end);
  let at = range.indexOf(quote);
  for (let places = 0; at >= 0 && places < MAX_PLACES; places++) {
    const span = { start: start + at, end: start + at + quote.length };
    if (isWhole(text, span)) return span;
    at = range.indexOf(quote, at + 1);
  }
  return null;
}

/** Whether a place cuts no character from its marks, and no number in two: `costs $9` does not stand in `costs $99`, nor in `costs $9⁹`. */
function isWhole(text: string, { start, end }: Span): boolean {
  if (!isGraphemeBoundary(text, start) || !isGraphemeBoundary(text, end)) return false;
  return !(CUT_BEFORE.test(text.slice(Math.max(0, start - 2), start + 1)) || CUT_BEHIND.test(text.slice(end - 1, end + 2)));
}

function findFolded(quote: string, text: string, range: Span, from: number, fold: (mode: LineHyphen) => FoldedText): Span | null {
  for (const mode of LINE_HYPHENS) {
    const folded = fold(mode);
    const wanted = foldText(quote, mode);
    const span = wanted.text === "" ? null : placeOf(wanted.text, folded, text, range.start, from);
    if (span !== null || !(folded.lineHyphens || wanted.lineHyphens)) return span;
  }
  return null;
}

function placeOf(wanted: string, { text: folded, starts }: FoldedText, text: string, offset: number, from: number): Span | null {
  let at = folded.indexOf(wanted, firstAt(starts, from - offset));
  for (let places = 0; at >= 0 && places < MAX_PLACES; places++) {
    const start = offset + (starts[at] ?? 0);
    const last = offset + (starts[at + wanted.length - 1] ?? 0);
    const span = { start, end: last + unitLength(text, last) };
    if (isWhole(text, span)) return span;
    at = folded.indexOf(wanted, at + 1);
  }
  return null;
}

/** The first index whose character begins at `offset` or behind it. */
function firstAt(starts: Int32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
