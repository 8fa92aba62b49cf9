import type { Span } from "../ranking/sentences.ts";
import type { Evidence } from "./quote-location.ts";

/** Why a marker, or a part of it, does not hold. */
export type FaultReason = "unknown_id" | "quote_not_found" | "no_quote";

/** Where in a piece of evidence the words stand that a marker quotes. */
export interface Located extends Span {
  readonly evidence: Evidence;
}

/** A citation as a model wrote it, where it stands in the model's text, and what came of it. */
export interface Marker extends Span {
  readonly found: readonly Located[];
  readonly faults: readonly FaultReason[];
}

/** Looks up what an id means and where a quote stands in it. */
export interface MarkerContext {
  readonly byId: (id: string) => Evidence | undefined;
  readonly locate: (quote: string, evidence: Evidence) => Span[];
  /** Letters with which ids begin; `[X3]` with others is no marker. */
  readonly prefixes: ReadonlySet<string>;
}

const OPENING = /[[(【（［](?=[^\S\n]{0,2}\^?[A-Za-z]{1,3}[-_]?\d{1,5}(?![\p{L}\p{N}]))/gu;
const CUT_OPENING = /(?:[[【［]\^?(?:[A-Za-z]{1,3}[-_]?)?|[(（][A-Za-z]{1,3}[-_]?)$/;
export const ID = /[^\S\n]{0,2}\^?([A-Za-z]{1,3}[-_]?\d{1,5})(?![\p{L}\p{N}])/uy;
export const BETWEEN_IDS = /[^\S\n]{0,2}(?:[,;，；、/&+]|and\b|和|与|-|–)[^\S\n]{0,2}(?=\^?[A-Za-z]{1,3}[-_]?\d)/y;
export const BEFORE_QUOTE = /\s{0,3}([:：=,，—–-]?)\s{0,3}/y;
export const AFTER_QUOTE = /[.。]?\s{0,3}([,;，；、&+]|and\b|和|与)?\s{0,3}/y;
export const CLOSING = /[^\S\n]{0,3}([\])】）］])/y;
export const LINK_TARGET = /\([^()\s]{0,500}\)/y;
/** What no honest answer needs; the markers behind them are taken out unread. */
const MAX_MARKERS = 500;

/** The markers of `text` in order; `skip` are stretches in which there are none. Takes linear time. */
export function findMarkers(text: string, context: MarkerContext, skip: readonly Span[] = []): Marker[] {
  const markers: Marker[] = [];
  const closers = closersOf(text);
  let from = 0;
  for (const { index } of text.matchAll(OPENING)) {
    if (index < from || skip.some(({ start, end }) => index >= start && index < end)) continue;
    const reader = new MarkerReader(text, index, closers, markers.length < MAX_MARKERS ? context : { ...context, locate: () => [] });
    const marker = reader.read();
    if (marker === null) continue;
    markers.push(marker);
    from = marker.end;
  }
  const cut = CUT_OPENING.exec(text.slice(-10));
  const start = text.length - (cut?.[0].length ?? 0);
  if (cut !== null && start >= from) markers.push({ start, end: text.length, found: [], faults: [] });
  return markers;
}

/** Reads one marker: ids, quotes of these, more ids with theirs, until its bracket closes. */
class MarkerReader {
  readonly #text: string;
  readonly #start: number;
  readonly #closers: Int32Array;
  readonly #context: MarkerContext;
  readonly #found: Located[] = [];
  readonly #faults: FaultReason[] = [];
  #at: number;
  #quotes = 0;

  constructor(text: string, start: number, closers: Int32Array, context: MarkerContext) {
    this.#text = text;
    this.#start = start;
    this.#closers = closers;
    this.#context = context;
    this.#at = start + 1;
  }

  read(): Marker | null {
    let ids = this.#ids();
    for (;;) {
      if (this.#match(CLOSING) !== null) return this.#close(ids);
      const ended = this.#quote(ids);
      if (ended === "none") return null;
      if (ended === "unclosed") return this.#end();
      // What follows: the bracket's end, ids of their own quotes, or another quote of the same ids.
      this.#match(AFTER_QUOTE);
      const next = this.#ids();
      if (next.length > 0) ids = next;
    }
  }

  #close(ids: readonly string[]): Marker | null {
    if (this.#quotes === 0) {
      const square = !/[(（]/.test(this.#text.charAt(this.#start));
      if (!ids.some((id) => this.#context.byId(id) !== undefined || isCitation(id, square, this.#context.prefixes))) return null;
      for (const id of ids) this.#faults.push(this.#context.byId(id) === undefined ? "unknown_id" : "no_quote");
    }
    return this.#end();
  }

  #end(): Marker {
    this.#match(LINK_TARGET);
    return { start: this.#start, end: this.#at, found: this.#found, faults: this.#faults };
  }

  #ids(): string[] {
    const ids: string[] = [];
    for (let id = this.#match(ID); id !== null; id = this.#match(BETWEEN_IDS) === null ? null : this.#match(ID)) ids.push(id[1] ?? "");
    return ids;
  }

  #quote(ids: readonly string[]): "closed" | "unclosed" | "none" {
    const separator = this.#match(BEFORE_QUOTE)?.[1] ?? "";
    const ends = quoteEnds(this.#text, this.#at, this.#closers);
    if (ends.length > 0) {
      const held = ends.find((end) => this.#spans(ids, this.#text.slice(this.#at + 1, end)).length > 0);
      const end = held ?? ends[0] ?? this.#at;
      this.#take(ids, this.#text.slice(this.#at + 1, end));
      this.#at = end + 1;
      return "closed";
    }
    const unclosed = endOfUnclosed(this.#text, this.#at, separator !== "");
    if (unclosed === null) return "none";
    this.#take(ids, unclosed.quote);
    this.#at = unclosed.end;
    return "unclosed";
  }

  #take(ids: readonly string[], quote: string): void {
    this.#quotes++;
    const found = this.#spans(ids, quote);
    this.#found.push(...found);
    if (found.length > 0) return;
    this.#faults.push(ids.some((id) => this.#context.byId(id) !== undefined) ? "quote_not_found" : "unknown_id");
  }

  /** Of several ids, those that have the quote. */
  #spans(ids: readonly string[], quote: string): Located[] {
    const words = quote.replaceAll(/\\(["'\\[\]])/g, "$1");
    return ids.flatMap((id) => {
      const evidence = this.#context.byId(id);
      if (evidence === undefined) return [];
      return this.#context.locate(words, evidence).map((span) => ({ ...span, evidence }));
    });
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

/** Whether an id that quotes nothing is meant as a citation: in square brackets ours look like nothing else. */
export function isCitation(id: string, square: boolean, prefixes: ReadonlySet<string>): boolean {
  const prefix = prefixOf(id);
  return prefixes.has(prefix) || (square && prefix === "S");
}

/** The letters of an id, in upper case. */
export function prefixOf(id: string): string {
  return (/^[A-Za-z]+/.exec(id)?.[0] ?? "").toUpperCase();
}

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

const NUMBERS = /[^\S\n]*[[【［]\^?\d{1,3}(?:[^\S\n]*[,;，；、–-][^\S\n]*\d{1,3})*[\]】］]/g;

/**
 * A sentence without numbers in brackets that its writer put there: in a report they would read as citations, and those are given out
 * when a quote has been verified.
 */
export function stripBracketedNumbers(text: string): string {
  return text.replaceAll(NUMBERS, "");
}
