import type { TextFilter } from "../domain/text-filter.ts";
import { type Ahead, type IsCited, markerAhead } from "./marker-ahead.ts";

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
