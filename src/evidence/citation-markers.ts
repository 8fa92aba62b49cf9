import type { Span } from "../ranking/sentences.ts";
import { mapProse } from "../util/code-spans.ts";
import type { FindKnownAddress } from "./known-addresses.ts";
import { CUT_OPENING, closersOf, EXPRESSION, MAX_EXPRESSION, readMarker } from "./marker-syntax.ts";
import { extendQuote } from "./quote-extension.ts";
import { type Evidence, isShortQuoteOf } from "./quote-location.ts";

export type FaultReason = "unknown_source" | "quote_not_found" | "quote_too_short" | "no_quote";

/** A place that was quoted, extended to whole words and amounts. `written` is the part that the writer quoted. */
export interface Located extends Span {
  readonly written: Span;
  readonly evidence: Evidence;
}

/** A citation in a model's text, such as `[S1: "words"]`, or a calculation such as `[= 5% - 3%]`. `found` has the quotes that are in the evidence. */
export interface Marker extends Span {
  readonly found: readonly Located[];
  readonly faults: readonly FaultReason[];
  readonly expression: string | null;
  readonly written: string;
  /** Set for a number such as `[12]` and a footnote such as `[^a]`. */
  readonly isNumber?: true;
}

export interface MarkerContext {
  readonly byId: (id: string) => Evidence | undefined;
  readonly locate: (quote: string, evidence: Evidence) => Span[];
  /** Upper-case letters with which ids begin. `[X3]` without a quote is a citation only if `X` is among them. */
  readonly prefixes: ReadonlySet<string>;
  /** Finds the addresses that may be shown. */
  readonly known: FindKnownAddress;
  /** The text of the user: bracketed numbers that stand in it are no citations. Null if no bracketed number is one. */
  readonly asked: string | null;
}

const OPENING = /[[(【（［](?=[^\S\n]{0,2}\^?[A-Za-z]{1,3}[-_]?\d{1,5}(?![\p{L}\p{N}]))|[[【［](?=[^\S\n]?[=＝]|\^?[1-9]|\^[^\]\s])/gu;
const NUMBERS = String.raw`[1-9]\d{0,2}(?:[^\S\n]*[,;，；、–-][^\S\n]*[1-9]\d{0,2})*(?:†[^[\]【】［］\n]{0,60})?`;
/** A link such as `[1](https://…)`, a definition such as `[1]: https://…` and an operand such as `x = [1, 2]` are no citations. */
const NUMBER = new RegExp(
  String.raw`[[【［](?:(${NUMBERS}(?:\s?[:：]\s?["“「][^"“”「」\n]{0,2000}["”」])?)|\^[^[\]\s]{1,100})[\]】］](?!\()`,
  "y",
);
const CODE_SPAN = /(?<!`)(`{1,2})(?!`)[^`\n]{1,500}\1(?!`)/g;
const MAX_MARKERS = 500;

export function findMarkers(text: string, context: MarkerContext, skip: readonly Span[] = []): Marker[] {
  const markers: Marker[] = [];
  const closers = closersOf(text);
  const code = Array.from(text.matchAll(CODE_SPAN), ({ 0: { length }, index }): Span => ({ start: index, end: index + length }));
  let inCode = 0;
  let from = 0;
  let next = 0;
  for (const { index } of text.matchAll(OPENING)) {
    while ((skip[next]?.end ?? text.length) <= index) next++;
    if (index < from || index >= (skip[next]?.start ?? text.length)) continue;
    while ((code[inCode]?.end ?? text.length) <= index) inCode++;
    const isCode = index >= (code[inCode]?.start ?? text.length);
    const isRead = markers.length < MAX_MARKERS;
    const own = isRead ? context : { ...context, locate: () => [] };
    const named = expressionAt(text, index) ?? markerAt(text, index, closers, own);
    const marker = named ?? (isCode || context.asked === null ? null : numberAt(text, index, context.asked));
    if (marker === null) continue;
    markers.push(isRead ? marker : { ...marker, faults: marker.faults.map(() => "no_quote") });
    from = marker.end;
  }
  const cut = CUT_OPENING.exec(text.slice(-MAX_EXPRESSION));
  const start = text.length - (cut?.[0].length ?? 0);
  if (cut !== null && start >= from) markers.push({ start, end: text.length, found: [], faults: [], expression: null, written: cut[0] });
  return markers;
}

function expressionAt(text: string, start: number): Marker | null {
  EXPRESSION.lastIndex = start;
  const match = EXPRESSION.exec(text);
  if (match === null) return null;
  const [written, expression = ""] = match;
  return { start, end: start + written.length, found: [], faults: [], expression: expression.trim(), written };
}

/** A number cites a source that does not exist, because only verified quotes get numbers. A footnote such as `[^1]` quotes nothing. */
function numberAt(text: string, start: number, asked: string): Marker | null {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (match === null || asked.includes(match[0])) return null;
  const [written, numbers] = match;
  const end = start + written.length;
  const before = text.slice(Math.max(0, start - 4), start);
  if (/[=+{]\s?$/.test(before) || (text.charAt(end) === ":" && /(?:^|\n)[^\S\n]{0,3}$/.test(before))) return null;
  return {
    start,
    end,
    found: [],
    faults: [numbers === undefined ? "no_quote" : "unknown_source"],
    expression: null,
    written,
    isNumber: true,
  };
}

function locateIn(ids: readonly string[], quote: string, { byId, locate }: MarkerContext): Located[] {
  const words = quote.replaceAll(/\\(["'\\[\]])/g, "$1");
  const located: Located[] = [];
  for (const id of ids) {
    const evidence = byId(id);
    const spans = evidence === undefined ? [] : locate(words, evidence);
    if (evidence !== undefined) located.push(...spans.map((written) => ({ ...extendQuote(evidence.text, written), written, evidence })));
  }
  return located;
}

function markerAt(text: string, start: number, closers: Int32Array, context: MarkerContext): Marker | null {
  const isKnown = (id: string): boolean => context.byId(id) !== undefined;
  const read = readMarker(text, start, closers, (ids, quote) => locateIn(ids, quote, context).length > 0);
  if (read === null) return null;
  const { ids, isSquare, quotes, end } = read;
  if (quotes.length === 0) {
    if (!ids.some((id) => isKnown(id) || isCitation(id, isSquare, context.prefixes))) return null;
    const faults = ids.map((id): FaultReason => (isKnown(id) ? "no_quote" : "unknown_source"));
    return { start, end, found: [], faults, expression: null, written: text.slice(start, end) };
  }
  const found = quotes.map((quote) => locateIn(quote.ids, quote.text, context));
  // A quote at the end of a text that was cut off is not invented.
  const isCut = text.length - end < 64 && text.slice(end).trim() === "" && !/[\])】）］]\s*$/.test(text.slice(end - 4, end));
  const isShort = (id: string, quote: string): boolean => isShortQuoteOf(quote, context.byId(id));
  const faults = quotes.flatMap(({ ids, text: quote }, i): FaultReason[] => {
    if (found[i]?.length !== 0) return [];
    if (ids.some((id) => isShort(id, quote))) return ["quote_too_short"];
    return [!ids.some(isKnown) ? "unknown_source" : isCut ? "no_quote" : "quote_not_found"];
  });
  return { start, end, found: found.flat(), faults, expression: null, written: text.slice(start, end) };
}

/** Finds citations where nothing is known of what they cite. Numbers such as `[1]` are none of them. */
export function citationsIn(text: string, prefixes: ReadonlySet<string>, skip: readonly Span[]): Marker[] {
  return findMarkers(text, { byId: () => undefined, locate: () => [], prefixes, known: () => null, asked: null }, skip);
}

/** Whether an id without a quote, such as `[S1]`, is a citation. */
function isCitation(id: string, isSquare: boolean, prefixes: ReadonlySet<string>): boolean {
  const prefix = prefixOf(id);
  return prefixes.has(prefix) || (isSquare && prefix === "S");
}

export function prefixOf(id: string): string {
  return (/^[A-Za-z]+/.exec(id)?.[0] ?? "").toUpperCase();
}

/** Notes are numbered from 1, so `[0]` and `[0, 1]` are none of them. */
const BRACKETED_NUMBERS = /(?<![^\S\n])[^\S\n]*[[【［]\^?(?!0(?!\d))\d{1,3}(?:[^\S\n]*[,;，；、–-][^\S\n]*\d{1,3})*[\]】］]/g;

/** Removes numbers such as `[1]` that a model wrote, because only verified quotes get numbers. In code they are no citations. */
export function stripBracketedNumbers(text: string): string {
  return mapProse(text, (prose) => prose.replaceAll(BRACKETED_NUMBERS, ""));
}

export interface Anchor {
  readonly at: number;
  readonly marker: Marker;
}

/** A text without its citations, and where they stood in it. */
export interface Unmarked {
  readonly text: string;
  readonly anchors: readonly Anchor[];
}

/** Removes citations with the blanks before them. `before` is the character before the text. */
export function removeMarkers(text: string, markers: readonly Marker[], before = ""): Unmarked {
  const anchors: Anchor[] = [];
  const kept: string[] = [];
  let length = 0;
  let last = before;
  const keep = (piece: string): void => {
    kept.push(piece);
    length += piece.length;
    last = piece.slice(-1) || last;
  };
  let from = 0;
  for (const marker of markers) {
    const between = text.slice(from, marker.start);
    const isBeside = /[^\n>|]/.test(last) && /^[^\S\n]+$/.test(between);
    keep(isBeside ? "" : trimBlanks(between));
    anchors.push({ at: length, marker });
    from = marker.end;
    if (last === "" || last === "\n") from += /^[^\S\n]*/.exec(text.slice(from, from + 8))?.[0].length ?? 0;
    else if (/[\p{sc=Latin}\p{N}.!?]/u.test(last) && /[\p{L}\p{N}]/u.test(text.charAt(from))) keep(" ");
  }
  keep(text.slice(from));
  return { text: kept.join(""), anchors };
}

function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && /[^\S\n]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, /[^\n>|]/.test(text.charAt(end - 1)) ? end : end + 1);
}
