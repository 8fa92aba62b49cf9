import type { TextFilter } from "../domain/ports/models.ts";
import {
  AFTER_QUOTE,
  BEFORE_QUOTE,
  BETWEEN_IDS,
  CLOSING,
  closersOf,
  endOfUnclosed,
  ID,
  LINK_TARGET,
  MAX_QUOTE_LENGTH,
  quoteEnds,
} from "./citation-markers.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MAY_FENCE = /^ {0,3}(?:`*|~*)$/;
const FENCE_REACH = 40;
/** A bracket, blanks before one, or the end of a line. */
const NEXT = /[[(【（［\n]|[^\S\n]+(?=[[(【（［]|$)/g;
/** More blanks than that are no mere space before a citation. */
const MAX_BLANKS = 64;

/**
 * Leaves citations out as a model writes them (`[S1: "words"]`), which nobody has verified while they arrive; code keeps its brackets.
 * The result does not depend on how the text is cut into pieces. Held back is only what may be a citation: some thousand code units
 * at most.
 */
export function createMarkerFilter(isCited: IsCited): TextFilter {
  return new MarkerFilter(isCited);
}

class MarkerFilter implements TextFilter {
  readonly #isCited: IsCited;
  #held = "";
  #out = "";
  /** The last character that was shown; empty at the beginning. */
  #last = "";
  #lineStart = true;
  /** The mark that opened the fence of code we are in. */
  #fence: string | null = null;
  #code = false;
  /** A citation has just been left out. */
  #after = false;
  /** Below this length of `#held` a look at it is not worth its time, unless a bracket or a line ends. */
  #lookAt = 0;

  constructor(isCited: IsCited) {
    this.#isCited = isCited;
  }

  push(piece: string): string {
    this.#held += piece;
    return this.#held.length >= this.#lookAt || /[\])】）］\n]/.test(piece) ? this.#read(false) : "";
  }

  end(): string {
    return this.#read(true);
  }

  #read(final: boolean): string {
    while (this.#held !== "" && this.#step(final));
    this.#lookAt = this.#held.length + Math.max(1, this.#held.length >> 3);
    const shown = this.#out;
    this.#out = "";
    return shown;
  }

  /** False where the rest has to wait. */
  #step(final: boolean): boolean {
    if (this.#lineStart && !this.#beginLine(final)) return false;
    if (this.#code) return this.#show(this.#held.indexOf("\n") + 1 || this.#held.length);
    NEXT.lastIndex = 0;
    const next = NEXT.exec(this.#held);
    if (next === null) return this.#show(this.#held.length);
    if (next.index > 0) return this.#show(next.index);
    if (next[0] === "\n") return this.#show(1);
    const blanks = /^[^\S\n]*/.exec(this.#held)?.[0].length ?? 0;
    if (blanks === this.#held.length && !final && blanks <= MAX_BLANKS) return false;
    if (blanks === this.#held.length || blanks > MAX_BLANKS) return this.#show(blanks);
    return this.#bracket(blanks, markerAhead(this.#held, blanks, final, this.#isCited));
  }

  /** The bracket at `at`, before which there are only blanks. */
  #bracket(at: number, ahead: Ahead): boolean {
    if (ahead === "wait") return false;
    if (ahead === "none") return this.#show(at + 1);
    // What stands at the beginning of a line, a quotation or a cell keeps its place.
    const rest = this.#held.slice(ahead);
    if (at > 0 && (this.#last === "" || /[\n>|]/.test(this.#last))) this.#show(at);
    this.#held = rest;
    this.#after = true;
    return true;
  }

  #beginLine(final: boolean): boolean {
    const reach = this.#held.slice(0, FENCE_REACH);
    if (!final && reach.length < FENCE_REACH && MAY_FENCE.test(reach)) return false;
    const mark = FENCE.exec(reach)?.[1];
    this.#code = this.#fence !== null || mark !== undefined;
    if (this.#fence === null) this.#fence = mark ?? null;
    else if (mark?.startsWith(this.#fence)) this.#fence = null;
    this.#lineStart = false;
    return true;
  }

  #show(length: number): boolean {
    const text = this.#held.slice(0, length);
    // Words that a citation parted stay apart.
    if (this.#after && /[\p{sc=Latin}\p{N}.!?]$/u.test(this.#last) && /^[\p{L}\p{N}]/u.test(text)) this.#out += " ";
    this.#after = false;
    this.#out += text;
    this.#last = text.slice(-1) || this.#last;
    this.#held = this.#held.slice(length);
    this.#lineStart = this.#last === "\n";
    return true;
  }
}

/** Whether an id that quotes nothing is meant as a citation; in square brackets nothing else looks like one. */
type IsCited = (id: string, square: boolean) => boolean;
/** What is known of a marker that may begin at a bracket: where it ends, that there is none, or that more has to come first. */
type Ahead = number | "none" | "wait";

/** No pattern of a marker looks further than that, but for quotes and targets of links. */
const LOOK = 24;
const MAX_TARGET = 502;
/** Whatever is longer is told as far as it goes. */
const MAX_MARKER = 8_000;
const BLANK_LINE = /\n[^\S\n]*\n/;
const OPENING = /[[(【（［][^\S\n]{0,2}\^?[A-Za-z]{1,3}[-_]?\d{1,5}(?![\p{L}\p{N}])/uy;
const MAY_OPEN = /^[[(【（［][^\S\n]{0,2}\^?[A-Za-z]{0,3}[-_]?\d{0,5}[\ud800-\udbff]?$/;
const CUT_OPENING = /^(?:[[【［]\^?(?:[A-Za-z]{1,3}[-_]?)?|[(（][A-Za-z]{1,3}[-_]?)$/;

/**
 * Where the marker ends that begins at the bracket at `at`, as `findMarkers` reads it where no quote is found. What it says of a text
 * it says of every longer one, unless that was `final`.
 */
function markerAhead(text: string, at: number, final: boolean, isCited: IsCited): Ahead {
  const rest = text.slice(at, at + LOOK);
  if (final && CUT_OPENING.test(rest)) return text.length;
  if (!final && MAY_OPEN.test(rest)) return "wait";
  OPENING.lastIndex = at;
  return OPENING.test(text) ? new AheadReader(text, at, final).read(isCited) : "none";
}

class AheadReader {
  readonly #text: string;
  readonly #start: number;
  readonly #final: boolean;
  #at: number;

  constructor(text: string, start: number, final: boolean) {
    this.#text = text;
    this.#start = start;
    this.#final = final;
    this.#at = start + 1;
  }

  read(isCited: IsCited): Ahead {
    const square = !/[(（]/.test(this.#text.charAt(this.#start));
    const ids = this.#ids();
    for (let quotes = 0; ; quotes++) {
      if (this.#unsure(LOOK)) return "wait";
      if (this.#match(CLOSING) !== null) return quotes > 0 || ids.some((id) => isCited(id, square)) ? this.#end() : "none";
      const ended = this.#quote();
      if (ended === "wait" || ended === "none") return ended;
      if (ended === "unclosed" || this.#at - this.#start > MAX_MARKER) return this.#end();
      if (this.#unsure(LOOK)) return "wait";
      this.#match(AFTER_QUOTE);
      if (this.#unsure(LOOK)) return "wait";
      this.#ids();
    }
  }

  #end(): Ahead {
    if (this.#text.charAt(this.#at) !== "(") return this.#unsure(1) ? "wait" : this.#at;
    const target = this.#text.slice(this.#at + 1, this.#at + MAX_TARGET);
    if (!/[()\s]/.test(target) && this.#unsure(MAX_TARGET)) return "wait";
    this.#match(LINK_TARGET);
    return this.#at;
  }

  #ids(): string[] {
    const ids: string[] = [];
    for (let id = this.#match(ID); id !== null; id = this.#match(BETWEEN_IDS) === null ? null : this.#match(ID)) {
      ids.push(id[1] ?? "");
      if (this.#unsure(LOOK)) break;
    }
    return ids;
  }

  #quote(): "closed" | "unclosed" | "none" | "wait" {
    const separated = (this.#match(BEFORE_QUOTE)?.[1] ?? "") !== "";
    if (this.#unsure(LOOK)) return "wait";
    const reach = this.#text.slice(this.#at, this.#at + MAX_QUOTE_LENGTH + LOOK);
    const [end] = quoteEnds(reach, 0, closersOf(reach));
    if (end !== undefined) {
      if (this.#unsure(end + LOOK)) return "wait";
      this.#at += end + 1;
      return "closed";
    }
    const blank = BLANK_LINE.exec(reach);
    const opened = quoteOpens(reach);
    // A quote that was opened may end anywhere in its paragraph.
    if (opened && this.#unsure(blank === null ? MAX_QUOTE_LENGTH + LOOK : blank.index + LOOK)) return "wait";
    if (!opened && separated && !/[\])】）］]|\n\s*\S/.test(reach) && this.#unsure(MAX_QUOTE_LENGTH)) return "wait";
    const unclosed = endOfUnclosed(this.#text, this.#at, separated);
    if (unclosed === null) return "none";
    this.#at = unclosed.end;
    return "unclosed";
  }

  /** Whether what comes may change what the next `length` code units mean. */
  #unsure(length: number): boolean {
    return !this.#final && this.#at + length > this.#text.length;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

function quoteOpens(text: string): boolean {
  return /^["“”„＂'‘’「『«»《`]/.test(text);
}
