import { firstIndex } from "../util/first-index.ts";

/** Matches the beginning of a citation, such as `[S`, at the end of a text that was cut off. */
export const CUT_OPENING = /(?:[[【［]\^?(?:[A-Za-z]{1,3}[-_]?|\s?[=＝][^[\]【】［］\n]{0,300})?|[(（][A-Za-z]{1,3}[-_]?)$/;
/** A calculation such as `[= $5 million - $3 million]`. Without its bracket it ends with its line. */
export const EXPRESSION = /[[【［][^\S\n]?[=＝]([^[\]【】［］\n]{1,300})(?:[\]】］]|(?=\n))/y;
export const MAX_EXPRESSION = 310;
const ID = /[^\S\n]{0,2}\^?([A-Za-z]{1,3}[-_]?\d{1,5})(?![\p{L}\p{N}])/uy;
const BETWEEN_IDS = /[^\S\n]{0,2}(?:[,;，；、/&+]|and\b|和|与|-|–)[^\S\n]{0,2}(?=\^?[A-Za-z]{1,3}[-_]?\d)/y;
const BEFORE_QUOTE = /[^\S\n]{0,3}([:：=,，—–-]?)\s{0,3}/y;
const LINE_END = /[^\S\n]{0,3}(?=\n)/y;
const AFTER_QUOTE = /[.。]?\s{0,3}([,;，；、&+]|and\b|和|与)?\s{0,3}/y;
const CLOSING = /[^\S\n]{0,3}([\])】）］])/y;
const LINK_TARGET = /\([^()\s]{0,500}\)/y;
const MAX_LINK_TARGET = 502;
export const LOOKAHEAD = 24;

interface MarkerSyntax {
  readonly ids: readonly string[];
  readonly isSquare: boolean;
  readonly quotes: readonly { readonly ids: readonly string[]; readonly text: string }[];
  readonly end: number;
}

interface ReaderOptions {
  /** False while more text may arrive. */
  readonly final: boolean;
  /** In UTF-16 code units. A longer citation is cut after one of its quotes. */
  readonly maxLength: number;
  readonly endsOf: (at: number) => readonly number[];
  /** A quote ends at the first offset of `endsOf` at which this returns true, otherwise at the nearest offset. */
  readonly isQuoteOf: (ids: readonly string[], quote: string) => boolean;
}

export class MarkerReader {
  readonly #text: string;
  readonly #start: number;
  readonly #options: ReaderOptions;
  #at: number;

  constructor(text: string, start: number, options: ReaderOptions) {
    this.#text = text;
    this.#start = start;
    this.#options = options;
    this.#at = start + 1;
  }

  /** Returns `none` if no citation begins at `start`, and `wait` if more text may change the result. */
  read(): MarkerSyntax | "none" | "wait" {
    const isSquare = !/[(（]/.test(this.#text.charAt(this.#start));
    const quotes: { ids: readonly string[]; text: string }[] = [];
    let ids = this.#ids();
    for (;;) {
      if (this.#mayChange(LOOKAHEAD)) return "wait";
      if (this.#match(CLOSING) !== null) break;
      // Without its bracket a citation ends with its line.
      if (quotes.length === 0 && ids.length > 0 && isSquare && this.#endsLine()) break;
      const quote = this.#quote(ids);
      if (typeof quote === "string") return quote;
      quotes.push({ ids, text: quote.text });
      if (!quote.closed || this.#at - this.#start > this.#options.maxLength) break;
      if (this.#mayChange(LOOKAHEAD)) return "wait";
      this.#match(AFTER_QUOTE);
      if (this.#mayChange(LOOKAHEAD)) return "wait";
      const next = this.#ids();
      if (next.length > 0) ids = next;
    }
    return this.#skipLinkTarget() ? { ids, isSquare, quotes, end: this.#at } : "wait";
  }

  #skipLinkTarget(): boolean {
    if (this.#text.charAt(this.#at) !== "(") return !this.#mayChange(1);
    const target = this.#text.slice(this.#at + 1, this.#at + MAX_LINK_TARGET);
    if (!/[()\s]/.test(target) && this.#mayChange(MAX_LINK_TARGET)) return false;
    this.#match(LINK_TARGET);
    return true;
  }

  /** A quote may begin on the next line. */
  #endsLine(): boolean {
    const [line] = /^[^\S\n]{0,3}\n\s*(?!["“”„＂'‘’「『«»《`\s])/.exec(this.#text.slice(this.#at, this.#at + LOOKAHEAD)) ?? [];
    return line !== undefined && this.#match(LINE_END) !== null;
  }

  #ids(): string[] {
    const ids: string[] = [];
    for (let id = this.#match(ID); id !== null; id = this.#match(BETWEEN_IDS) === null ? null : this.#match(ID)) {
      ids.push(id[1] ?? "");
      if (this.#mayChange(LOOKAHEAD)) break;
    }
    return ids;
  }

  #quote(ids: readonly string[]): { readonly text: string; readonly closed: boolean } | "none" | "wait" {
    const isSeparated = (this.#match(BEFORE_QUOTE)?.[1] ?? "") !== "";
    if (this.#mayChange(LOOKAHEAD)) return "wait";
    const from = this.#at;
    const ends = this.#options.endsOf(from);
    const [nearest] = ends;
    if (nearest !== undefined) {
      const end = ends.find((one) => this.#options.isQuoteOf(ids, this.#text.slice(from + 1, one))) ?? nearest;
      if (this.#mayChange(end - from + LOOKAHEAD)) return "wait";
      this.#at = end + 1;
      return { text: this.#text.slice(from + 1, end), closed: true };
    }
    if (!this.#options.final && this.#mayClose(isSeparated)) return "wait";
    const unclosed = endOfUnclosed(this.#text, from, isSeparated);
    if (unclosed === null) return "none";
    this.#at = unclosed.end;
    return { text: unclosed.quote, closed: false };
  }

  #mayClose(isSeparated: boolean): boolean {
    const reach = this.#text.slice(this.#at, this.#at + MAX_QUOTE_LENGTH + LOOKAHEAD);
    if (/^["“”„＂'‘’「『«»《`]/.test(reach)) {
      const blankLine = /\n[^\S\n]*\n/.exec(reach);
      return this.#mayChange((blankLine?.index ?? MAX_QUOTE_LENGTH) + LOOKAHEAD);
    }
    return isSeparated && !/[\])】）］]|\n\s*\S/.test(reach) && this.#mayChange(MAX_QUOTE_LENGTH);
  }

  #mayChange(length: number): boolean {
    return !this.#options.final && this.#at + length > this.#text.length;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

const QUOTE_MARKS = ['""”“＂″', '“”"“＂', '””"“＂', '„“”"', '＂＂"”', "''’‘′", "‘’'‘", "’’'‘", "「」", "『』", "«»", "»«", "《》", "``'"];
const CLOSING_MARKS = new Map(QUOTE_MARKS.map((marks) => [marks.charAt(0), marks.slice(1)]));
const CLOSER =
  /["“”＂″'’‘′」』»«》`](?=[.。]?\s{0,3}(?:[\])】）］]|(?:[,;，；、&+]|and\b|和|与)\s{0,3}\^?[A-Za-z]{1,3}[-_]?\d|(?:[,;，；、&+]|and\b|和|与)?\s{0,3}["“„＂'‘「『«《`]))/g;
/** Behind a quote that another follows without a comma. The mark may also stand inside the quote. */
const DOUBTFUL_CLOSER = /^.[.。]?\s{0,3}["“„＂'‘「『«《`]/;
export const MAX_QUOTE_LENGTH = 4_000;
const MAX_ENDS = 8;
/** What ends a quote that has no closing mark: an empty line, or the next citation. */
const UNCLOSED = /\n[^\S\n]*\n|[[【［]\^?[A-Za-z]{1,3}[-_]?\d{1,5}\s?[:：]\s?["“”„＂「『«]/;

export function closersOf(text: string): Int32Array {
  return Int32Array.from(Array.from(text.matchAll(CLOSER), ({ index }) => index));
}

export function quoteEnds(text: string, at: number, closers: Int32Array): number[] {
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
