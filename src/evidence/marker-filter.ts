import type { TextFilter } from "../domain/ports/models.ts";
import { FENCE } from "./markdown-blocks.ts";
import {
  CUT_OPENING,
  closersOf,
  EXPRESSION,
  LOOKAHEAD,
  MAX_EXPRESSION,
  MAX_QUOTE_LENGTH,
  MarkerReader,
  quoteEnds,
} from "./marker-syntax.ts";

type IsCited = (id: string, isSquare: boolean) => boolean;

const MAY_FENCE = /^ {0,3}(?:`*|~*)$/;
const FENCE_REACH = 40;
/** The lookbehind keeps time linear in long runs of blanks. */
const NEXT = /[[(【（［\n]|(?<![^\S\n])[^\S\n]+(?=[[(【（［]|$)/g;
const BLANKS = /[^\S\n]*/y;
const MAX_BLANKS = 64;
const MAX_MARKER = 8_000;
const OPENING = /[[(【（［][^\S\n]{0,2}\^?[A-Za-z]{1,3}[-_]?\d{1,5}(?![\p{L}\p{N}])/uy;
const MAY_CALCULATE = /^[[【［][^\S\n]?(?:[=＝][^[\]【】［］\n]{0,300})?$/;
const MAY_OPEN = /^[[(【（［][^\S\n]{0,2}\^?[A-Za-z]{0,3}[-_]?\d{0,5}[\ud800-\udbff]?$/;

/** Removes citations such as `[S1: "words"]` outside of code. The result is the same however the text is split into pieces. */
export class MarkerFilter implements TextFilter {
  readonly #isCited: IsCited;
  #held = "";
  #at = 0;
  #out = "";
  #last = "";
  #lineStart = true;
  #fence: string | null = null;
  #inCode = false;
  #afterMarker = false;
  #readAt = 0;

  constructor(isCited: IsCited) {
    this.#isCited = isCited;
  }

  push(piece: string): string {
    this.#held += piece;
    return this.#held.length >= this.#readAt || /[\])】）］\n]/.test(piece) ? this.#read(false) : "";
  }

  end(): string {
    return this.#read(true);
  }

  #read(final: boolean): string {
    while (this.#at < this.#held.length && this.#step(final));
    this.#held = this.#held.slice(this.#at);
    this.#at = 0;
    this.#readAt = this.#held.length + Math.max(1, this.#held.length >> 3);
    const shown = this.#out;
    this.#out = "";
    return shown;
  }

  #step(final: boolean): boolean {
    const text = this.#held;
    if (this.#lineStart && !this.#beginLine(final)) return false;
    if (this.#inCode) return this.#show(text.indexOf("\n", this.#at) + 1 || text.length);
    NEXT.lastIndex = this.#at;
    const next = NEXT.exec(text);
    if (next === null) return this.#show(text.length);
    if (next.index > this.#at) return this.#show(next.index);
    if (next[0] === "\n") return this.#show(this.#at + 1);
    BLANKS.lastIndex = this.#at;
    const blanks = BLANKS.exec(text)?.[0].length ?? 0;
    const bracket = this.#at + blanks;
    if (bracket === text.length && !final && blanks <= MAX_BLANKS) return false;
    if (bracket === text.length || blanks > MAX_BLANKS) return this.#show(bracket);
    return this.#bracket(bracket, final);
  }

  #bracket(at: number, final: boolean): boolean {
    const end = markerEnd(this.#held, at, final, this.#isCited);
    if (end === "wait") return false;
    if (end === "none") return this.#show(at + 1);
    if (at > this.#at && (this.#last === "" || /[\n>|]/.test(this.#last))) this.#show(at);
    this.#at = end;
    this.#afterMarker = true;
    return true;
  }

  #beginLine(final: boolean): boolean {
    const reach = this.#held.slice(this.#at, this.#at + FENCE_REACH);
    if (!final && reach.length < FENCE_REACH && MAY_FENCE.test(reach)) return false;
    const mark = FENCE.exec(reach)?.[1];
    this.#inCode = this.#fence !== null || mark !== undefined;
    if (this.#fence === null) this.#fence = mark ?? null;
    else if (mark?.startsWith(this.#fence)) this.#fence = null;
    this.#lineStart = false;
    return true;
  }

  #show(until: number): boolean {
    const text = this.#held.slice(this.#at, until);
    // A space separates the words before and after a removed citation.
    if (this.#afterMarker && /[\p{sc=Latin}\p{N}.!?]$/u.test(this.#last) && /^[\p{L}\p{N}]/u.test(text)) this.#out += " ";
    this.#afterMarker = false;
    this.#out += text;
    this.#last = text.slice(-1) || this.#last;
    this.#at = until;
    this.#lineStart = this.#last === "\n";
    return true;
  }
}

function markerEnd(text: string, at: number, final: boolean, isCited: IsCited): number | "none" | "wait" {
  const beginning = text.slice(at, at + LOOKAHEAD);
  EXPRESSION.lastIndex = at;
  const expression = EXPRESSION.exec(text);
  if (expression !== null) return at + expression[0].length;
  if (!final && MAY_CALCULATE.test(text.slice(at, at + MAX_EXPRESSION))) return "wait";
  if (final && CUT_OPENING.exec(beginning)?.index === 0) return text.length;
  if (!final && MAY_OPEN.test(beginning)) return "wait";
  OPENING.lastIndex = at;
  if (!OPENING.test(text)) return "none";
  const endsOf = (start: number): number[] => {
    const reach = text.slice(start, start + MAX_QUOTE_LENGTH + LOOKAHEAD);
    return quoteEnds(reach, 0, closersOf(reach)).map((end) => start + end);
  };
  const read = new MarkerReader(text, at, { final, maxLength: MAX_MARKER, endsOf, isQuoteOf: () => true }).read();
  if (typeof read === "string") return read;
  return read.quotes.length > 0 || read.ids.some((id) => isCited(id, read.isSquare)) ? read.end : "none";
}
