/** Marks that open a quote, and those that may close it. */
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"”“＂″',
  "“": '”"“＂',
  "”": '”"“＂',
  "„": '“”"',
  "＂": '＂"”',
  "'": "'’‘′",
  "‘": "’'‘",
  "’": "’'‘",
  "「": "」",
  "『": "』",
  "«": "»",
  "»": "«",
  "《": "》",
  "`": "`'",
};
/** A closing mark behind which a marker can end or go on. */
const CLOSER =
  /["“”＂″'’‘′」』»«》`](?=[.。]?\s{0,3}(?:[\])】）］]|(?:[,;，；、&+]|and\b|和|与)\s{0,3}(?:\^?[A-Za-z]{1,3}[-_]?\d|["“„＂'‘「『«《`])))/g;
/** A quote that is longer is none; so much is looked through for its end. */
export const MAX_QUOTE_LENGTH = 4_000;
/** A quote may hold marks that look like its end. */
const MAX_ENDS = 8;

/** All places where a quote may end, for `quoteEnds`. */
export function closersOf(text: string): Int32Array {
  return Int32Array.from(Array.from(text.matchAll(CLOSER), ({ index }) => index));
}

/** Where the quote that opens at `at` may end: offsets of closing marks, nearest first; empty where no quote opens or none ends. */
export function quoteEnds(text: string, at: number, closers: Int32Array): number[] {
  const closing = PAIRS[text.charAt(at)];
  if (closing === undefined) return [];
  const ends: number[] = [];
  for (let i = firstBehind(closers, at); i < closers.length && ends.length < MAX_ENDS; i++) {
    const end = closers[i] ?? 0;
    if (end - at > MAX_QUOTE_LENGTH || /\n[^\S\n]*\n/.test(text.slice(ends.at(-1) ?? at, end))) break;
    if (closing.includes(text.charAt(end))) ends.push(end);
  }
  return ends;
}

/** A quote without its closing mark ends with the next bracket of its line, or with the line; null where there is none at all. */
export function endOfUnclosed(text: string, at: number, separated: boolean): { readonly quote: string; readonly end: number } | null {
  const marked = PAIRS[text.charAt(at)] !== undefined;
  if (!marked && !separated && at < text.length) return null;
  const line = (text.slice(at, at + MAX_QUOTE_LENGTH).split("\n", 1)[0] ?? "").trimEnd();
  const bracket = line.search(/[\])】）］]/);
  if (!marked && bracket < 0 && at + line.length < text.trimEnd().length) return null;
  const quote = bracket < 0 ? line : line.slice(0, bracket);
  return { quote: stripMarks(quote), end: at + (bracket < 0 ? line.length : bracket + 1) };
}

function stripMarks(quote: string): string {
  return quote
    .trim()
    .replace(/^["“”„＂'‘’「『«《`]/, "")
    .replace(/["“”＂'’」』»》`]$/, "");
}

/** The first index of a sorted list whose value lies behind `offset`. */
function firstBehind(sorted: Int32Array, offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
