import { firstIndex } from "./first-index.ts";

/** Matches the beginning of a citation, such as `[S`, at the end of a text that was cut off. */
export const CUT_OPENING = /(?:[[【［]\^?(?:[A-Za-z]{1,3}[-_]?|\s?[=＝][^[\]【】［］\n]{0,300})?|[(（][A-Za-z]{1,3}[-_]?)$/;
/** In UTF-16 code units. */
export const MAX_EXPRESSION = 310;
/** A calculation such as `[= $5 million - $3 million]`. Without its bracket it ends with its line. */
export const EXPRESSION = /[[【［][^\S\n]?[=＝]([^[\]【】［］\n]{1,300})(?:[\]】］]|(?=\n))/y;
const ID = /[^\S\n]{0,2}\^?([A-Za-z]{1,3}[-_]?\d{1,5})(?![\p{L}\p{N}])/uy;
const BETWEEN_IDS = /[^\S\n]{0,2}(?:[,;，；、/&+]|and\b|和|与|-|–)[^\S\n]{0,2}(?=\^?[A-Za-z]{1,3}[-_]?\d)/y;
const BEFORE_QUOTE = /[^\S\n]{0,3}([:：=,，—–-]?)\s{0,3}/y;
/** A quote may begin on the next line. */
const LINE_END = /[^\S\n]{0,3}(?=\n(?!\s{0,20}["“”„＂'‘’「『«»《`]))/y;
const AFTER_QUOTE = /[.。]?\s{0,3}([,;，；、&+]|and\b|和|与)?\s{0,3}/y;
const CLOSING = /[^\S\n]{0,3}([\])】）］])/y;
const LINK_TARGET = /\([^()\s]{0,500}\)/y;

type IsQuoteOf = (ids: readonly string[], quote: string) => boolean;

/**
 * Reads the citation whose bracket stands at `start`, or returns null. A quote ends where `isQuoteOf` is true, otherwise at the nearest closing mark.
 * @param closers what `closersOf` returns for the text
 */
export function readMarker(text: string, start: number, closers: Int32Array, isQuoteOf: IsQuoteOf) {
  let at = start + 1;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const readIds = (): string[] => {
    const ids: string[] = [];
    for (let id = match(ID); id !== null; id = match(BETWEEN_IDS) === null ? null : match(ID)) ids.push(id[1] ?? "");
    return ids;
  };
  const readQuote = (of: readonly string[]): { readonly text: string; readonly end: number; readonly isClosed: boolean } | null => {
    const isSeparated = (match(BEFORE_QUOTE)?.[1] ?? "") !== "";
    const ends = quoteEnds(text, at, closers);
    const end = ends.find((one) => isQuoteOf(of, text.slice(at + 1, one))) ?? ends[0];
    if (end !== undefined) return { text: text.slice(at + 1, end), end: end + 1, isClosed: true };
    const unclosed = endOfUnclosed(text, at, isSeparated);
    return unclosed && { text: unclosed.quote, end: unclosed.end, isClosed: false };
  };
  const isSquare = !/[(（]/.test(text.charAt(start));
  const quotes: { ids: readonly string[]; text: string }[] = [];
  let ids = readIds();
  while (match(CLOSING) === null) {
    // Without its bracket a citation ends with its line.
    if (quotes.length === 0 && ids.length > 0 && isSquare && match(LINE_END) !== null) break;
    const quote = readQuote(ids);
    if (quote === null) return null;
    at = quote.end;
    quotes.push({ ids, text: quote.text });
    if (!quote.isClosed) break;
    match(AFTER_QUOTE);
    const next = readIds();
    if (next.length > 0) ids = next;
  }
  match(LINK_TARGET);
  return { ids, isSquare, quotes, end: at };
}

const QUOTE_MARKS = ['""”“＂″', '“”"“＂', '””"“＂', '„“”"', '＂＂"”', "''’‘′", "‘’'‘", "’’'‘", "「」", "『』", "«»", "»«", "《》", "``'"];
const CLOSING_MARKS = new Map(QUOTE_MARKS.map((marks) => [marks.charAt(0), marks.slice(1)]));
const CLOSER =
  /["“”＂″'’‘′」』»«》`](?=[.。]?\s{0,3}(?:[\])】）］]|(?:[,;，；、&+]|and\b|和|与)\s{0,3}\^?[A-Za-z]{1,3}[-_]?\d|(?:[,;，；、&+]|and\b|和|与)?\s{0,3}["“„＂'‘「『«《`]))/g;
/** Behind a quote that another follows without a comma. The mark may also stand inside the quote. */
const DOUBTFUL_CLOSER = /^.[.。]?\s{0,3}["“„＂'‘「『«《`]/;
const MAX_QUOTE_LENGTH = 4_000;
const MAX_ENDS = 8;
/** What ends a quote that has no closing mark: an empty line, or the next citation. */
const UNCLOSED = /\n[^\S\n]*\n|[[【［]\^?[A-Za-z]{1,3}[-_]?\d{1,5}\s?[:：]\s?["“”„＂「『«]/;

export function closersOf(text: string): Int32Array {
  return Int32Array.from(Array.from(text.matchAll(CLOSER), ({ index }) => index));
}

function quoteEnds(text: string, at: number, closers: Int32Array): number[] {
  const closing = CLOSING_MARKS.get(text.charAt(at));
  if (closing === undefined) return [];
  const ends: number[] = [];
  const doubtful: number[] = [];
  for (
    let i = firstIndex(closers.length, (i) => (closers[i] ?? 0) > at);
    i < closers.length && ends.length + doubtful.length < MAX_ENDS;
    i++
  ) {
    const end = closers[i] ?? 0;
    if (end - at > MAX_QUOTE_LENGTH || UNCLOSED.test(text.slice(ends.at(-1) ?? at, end))) break;
    if (closing.includes(text.charAt(end))) (DOUBTFUL_CLOSER.test(text.slice(end, end + 6)) ? doubtful : ends).push(end);
  }
  return [...ends, ...doubtful];
}

function endOfUnclosed(text: string, at: number, isSeparated: boolean): { readonly quote: string; readonly end: number } | null {
  const isMarked = CLOSING_MARKS.has(text.charAt(at));
  if (!isMarked && !isSeparated && at < text.length) return null;
  const line = (text.slice(at, at + MAX_QUOTE_LENGTH).split("\n", 1)[0] ?? "").trimEnd();
  const bracket = line.search(/[\])】）］]/);
  if (!isMarked && bracket < 0 && at + line.length < text.trimEnd().length) return null;
  const quote = (bracket < 0 ? line : line.slice(0, bracket)).trim();
  return {
    quote: quote.replace(/^["“”„＂'‘’「『«《`]/, "").replace(/["“”＂'’」』»》`]$/, ""),
    end: at + (bracket < 0 ? line.length : bracket + 1),
  };
}
