import type { TextFilter } from "../domain/ports/models.ts";
import { addressesOf, MAX_START_LENGTH, pieceOf, removeInvisible, replaceAddresses, unknownForm } from "./address-filter.ts";
import { citationsIn, removeMarkers } from "./citation-markers.ts";
import { createKnownAddresses, type FindKnownAddress } from "./known-addresses.ts";
import { endsInCode, escaped, MAX_LENGTH, markBlocks } from "./markdown-addresses.ts";
import { readFences } from "./markdown-blocks.ts";

/** Lines in which a block begins wherever they stand, but for code. */
const BLOCK_START = /^(?:[-*+][ \t]+\S|#{1,6}[ \t])/;
/** A line behind an empty one that begins a block, and no code. */
const BEGUN = /^[^\s`~]/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^ {0,3}(?:`{3,}|~{3,})\s*$/;
const WORD = /[^\s，；：！？、）「」『』《》】“”‘’…]+/g;
const MAY_BE_ADDRESS = /[:.@/\\&。．｡]/;
/** Begins a link, HTML, code or a citation, or is escaped in a block that is too long. */
const MAY_BE_ACTIVE = /[[【［\]<`~\\]|[(（]\^?[a-z]{1,3}[-_]?\d/i;
/** White space before a citation is removed with it. */
const MAX_BLANKS = 64;

/** Removes the citations of a Markdown text and marks its addresses that are not known (see `markBlocks`), but for code. */
export class OutputFilter implements TextFilter {
  readonly #known: FindKnownAddress;
  readonly #prefixes: ReadonlySet<string> | null;
  /** The lines of a block, and the beginning of the next line. */
  #block = "";
  #line = "";
  /** What of both has not been shown. */
  #rest = "";
  /** Whether nothing more can be shown before the block ends. */
  #isHeld = false;
  /** Whether too much of the block is held to parse it. `#block` then has only what has not been shown. */
  #isLong = false;
  #isInLine = false;
  #afterBlank = false;
  #fence: string | null = null;
  #carry = "";

  /** @param prefixes `[X3]` is a citation if `X` is among them; null keeps all citations */
  constructor(known: Iterable<string>, prefixes: ReadonlySet<string> | null) {
    this.#known = createKnownAddresses(known);
    this.#prefixes = prefixes;
  }

  push(piece: string): string {
    const whole = this.#carry + piece;
    // The first half of a character or of a line break.
    this.#carry = /[\ud800-\udbff\r]$/.exec(whole)?.[0] ?? "";
    return this.#read(whole.slice(0, whole.length - this.#carry.length));
  }

  end(): string {
    const last = this.#read(this.#carry);
    this.#carry = "";
    const shown = this.#line === "" ? "" : this.#takeLine();
    return last + shown + this.#endBlock();
  }

  #read(text: string): string {
    let shown = "";
    for (const part of removeInvisible(text)
      .replaceAll(/\r\n?/g, "\n")
      .split(/(?<=\n)/))
      for (let at = 0; at < part.length; ) {
        const chunk = part.slice(at, at + MAX_LENGTH - this.#line.length);
        at += chunk.length;
        this.#line += chunk;
        this.#rest += chunk;
        if (this.#fence === null && !this.#isInLine && this.#afterBlank && BEGUN.test(this.#line)) shown += this.#endBlock();
        shown += this.#showWords();
        if (chunk.endsWith("\n") || this.#line.length === MAX_LENGTH) shown += this.#takeLine();
      }
    return shown;
  }

  /** Takes a line, or a part of a long one. */
  #takeLine(): string {
    const line = this.#line;
    const isBegun = this.#isInLine;
    this.#isInLine = !line.endsWith("\n");
    if (this.#fence !== null) {
      if (!isBegun && CLOSING.test(line) && line.trimStart().startsWith(this.#fence)) this.#fence = null;
      this.#line = "";
      return this.#takeRest();
    }
    const [, indent, fence] = isBegun ? [] : (FENCE.exec(line.trimEnd()) ?? []);
    const isFence = fence !== undefined && (indent === "" || (!this.#isLong && endsInCode(this.#block + line)));
    const isStart = isFence || (!isBegun && (BLOCK_START.test(line) || (this.#afterBlank && /^\S/.test(line))));
    const before = isStart ? this.#endBlock() : "";
    this.#line = "";
    this.#afterBlank = line.trim() === "";
    if (isFence) {
      this.#fence = fence;
      return before + this.#takeRest();
    }
    this.#block += line;
    if (!this.#isLong && this.#rest.length <= MAX_LENGTH) return before;
    return before + this.#showLong(MAX_LENGTH);
  }

  #takeRest(): string {
    const rest = this.#rest;
    this.#rest = "";
    return rest;
  }

  /** Ends the block before the line. */
  #endBlock(): string {
    this.#isHeld = false;
    if (this.#isLong) return this.#showLong(0);
    const block = this.#block;
    const shown = Math.min(block.length, block.length + this.#line.length - this.#rest.length);
    this.#rest = this.#rest.slice(block.length - shown);
    this.#block = "";
    return this.#clean(block, shown);
  }

  /** Returns what is shown of a block behind its first characters, which were shown as they are. */
  #clean(block: string, shown: number): string {
    if (this.#prefixes === null) return markBlocks(block, this.#known, shown).slice(shown);
    const markers = citationsIn(block, this.#prefixes, readFences(block).closed).filter(({ start }) => start >= shown);
    const begun = block.slice(0, shown);
    const inRest = markers.map((marker) => ({ ...marker, start: marker.start - shown, end: marker.end - shown }));
    // Removing a citation may join two halves of an address.
    return markBlocks(begun + removeMarkers(block.slice(shown), inRest, begun.slice(-1)).text, this.#known, shown).slice(shown);
  }

  /** Shows pieces of a block that is too long, and keeps at most so much. They have no link, so citations stay as they are. */
  #showLong(kept: number): string {
    let rest = this.#isLong ? this.#block : this.#rest;
    const pieces: string[] = [];
    while (rest.length > kept) {
      const piece = pieceOf(rest, 0);
      rest = rest.slice(piece.length);
      const around = { before: pieces.at(-1)?.slice(-1) ?? "", after: rest.charAt(0), isMarkdown: true } as const;
      pieces.push(replaceAddresses(escaped(piece), this.#known, unknownForm(piece), around));
    }
    this.#block = rest;
    this.#rest = this.#line;
    this.#isLong = kept > 0;
    return pieces.join("");
  }

  #showWords(): string {
    if (this.#fence !== null || this.#isHeld || this.#isLong) return "";
    const text = this.#rest;
    let end = text.length;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const isLast = index + word.length === text.length;
      this.#isHeld =
        MAY_BE_ACTIVE.test(word) || (!isLast && MAY_BE_ADDRESS.test(word) && addressesOf(word, this.#known).next().done !== true);
      if (!this.#isHeld && !isLast) continue;
      end = isLast && !this.#isHeld ? Math.max(index, text.length - MAX_START_LENGTH) : index;
      break;
    }
    const blanks = end;
    while (end > 0 && blanks - end < MAX_BLANKS && /\s/.test(text.charAt(end - 1))) end--;
    this.#rest = text.slice(end);
    return text.slice(0, end);
  }
}
