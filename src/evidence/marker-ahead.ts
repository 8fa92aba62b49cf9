import { closersOf, endOfUnclosed, MAX_QUOTE_LENGTH, quoteEnds } from "./marker-quotes.ts";
import { AFTER_QUOTE, BEFORE_QUOTE, BETWEEN_IDS, CLOSING, ID, LINK_TARGET } from "./markers.ts";

/** Whether an id that quotes nothing is meant as a citation; in square brackets nothing else looks like one. */
export type IsCited = (id: string, square: boolean) => boolean;
/** What is known of a marker that may begin at a bracket: where it ends, that there is none, or that more has to come first. */
export type Ahead = number | "none" | "wait";

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
export function markerAhead(text: string, at: number, final: boolean, isCited: IsCited): Ahead {
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
