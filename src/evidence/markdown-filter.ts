import type { TextFilter } from "../domain/ports/models.ts";
import { addressesOf, MAX_START_LENGTH, pieceOf, removeInvisible, replaceAddresses, unknownForm } from "./address-filter.ts";
import { createKnownAddresses, type FindKnownAddress } from "./known-addresses.ts";
import { endsInCode, escaped, MAX_LENGTH, markBlocks } from "./markdown-addresses.ts";

/** `MarkdownFilter` for a whole text. */
export function markMarkdown(text: string, known: Iterable<string>): string {
  const filter = new MarkdownFilter(known);
  return filter.push(text) + filter.end();
}

/** Lines in which blocks begin wherever they stand, but for code. */
const BLOCK_START = /^(?:[-*+][ \t]+\S|#{1,6}[ \t])/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^ {0,3}(?:`{3,}|~{3,})\s*$/;
const WORD = /[^\s，；：！？、（）「」『』《》【】“”‘’…]+/g;
const MAY_BE_ADDRESS = /[:.@/\\&。．｡]/;
const MAY_BE_LINK = /\[|<(?:[a-z/!?]|$)/i;

/** Marks unknown addresses of a Markdown text in pieces: see `markBlocks`. Shows the words of a block before its first possible address at once. */
export class MarkdownFilter implements TextFilter {
  readonly #known: FindKnownAddress;
  /** The lines of a block, and the beginning of the next line. */
  #block = "";
  #line = "";
  /** How much of both has been shown. */
  #shown = 0;
  /** The other part, as far as it is in one line: a long line would take time in proportion to the square of its length. */
  #rest: string | null = null;
  #isHeld = false;
  /** The escaped rest of a block that is too long to be parsed; null for other blocks. The block is then empty. */
  #escaped: string | null = null;
  #afterBlank = false;
  #fence: string | null = null;
  #carry = "";

  constructor(known: Iterable<string>) {
    this.#known = createKnownAddresses(known);
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
    return last + shown + this.#flush();
  }

  #read(text: string): string {
    const lines = removeInvisible(text)
      .replaceAll(/\r\n?/g, "\n")
      .split(/(?<=\n)/);
    let shown = "";
    for (const line of lines) {
      this.#line += line;
      if (this.#rest !== null) this.#rest += line;
      if (line.endsWith("\n")) shown += this.#takeLine();
    }
    return shown + this.#showWords();
  }

  #takeLine(): string {
    const line = this.#line;
    const rest = this.#rest;
    this.#rest = null;
    if (this.#fence !== null) {
      if (CLOSING.test(line) && line.trimStart().startsWith(this.#fence)) this.#fence = null;
      this.#line = "";
      return line;
    }
    const isBegun = this.#escaped !== null && rest !== null;
    const [, indent, fence] = isBegun ? [] : (FENCE.exec(line.trimEnd()) ?? []);
    const isFence = fence !== undefined && (indent === "" || (this.#escaped === null && endsInCode(this.#block + line)));
    const isStart = isFence || (!isBegun && (BLOCK_START.test(line) || (this.#afterBlank && /^\S/.test(line))));
    const before = isStart ? this.#flush() : "";
    this.#line = "";
    this.#afterBlank = line.trim() === "";
    if (this.#escaped !== null) {
      this.#escaped += escaped(rest ?? line);
      this.#shown = 0;
      return before;
    }
    if (!isFence) {
      this.#block += line;
      return before;
    }
    this.#fence = fence;
    const opening = line.slice(this.#shown);
    this.#shown = 0;
    return before + opening;
  }

  /** Ends the block. */
  #flush(): string {
    this.#isHeld = false;
    if (this.#escaped !== null) {
      const last = this.#escapedPieces(0);
      this.#escaped = null;
      return last;
    }
    const shown = Math.min(this.#shown, this.#block.length);
    const marked = markBlocks(this.#block, this.#known, shown).slice(shown);
    this.#shown -= shown;
    this.#block = "";
    return marked;
  }

  /** Shows pieces of what is escaped, and keeps at most so much. */
  #escapedPieces(kept: number): string {
    const pieces: string[] = [];
    let rest = this.#escaped ?? "";
    while (rest.length > kept) {
      const piece = pieceOf(rest, 0);
      rest = rest.slice(piece.length);
      const around = { before: pieces.at(-1)?.slice(-1) ?? "", after: rest.charAt(0), isMarkdown: true } as const;
      pieces.push(replaceAddresses(piece, this.#known, unknownForm(piece), around));
    }
    this.#escaped = rest;
    return pieces.join("");
  }

  #showWords(): string {
    const { length } = this.#block;
    if (this.#fence !== null) return "";
    if (this.#escaped !== null || (this.#isHeld && length + this.#line.length - this.#shown > MAX_LENGTH)) return this.#showEscaped();
    if (this.#isHeld) return "";
    const text =
      this.#rest ?? (this.#shown < length ? this.#block.slice(this.#shown) + this.#line : this.#line.slice(this.#shown - length));
    let end = text.length;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const isLast = index + word.length === text.length;
      this.#isHeld =
        MAY_BE_LINK.test(word) || (!isLast && MAY_BE_ADDRESS.test(word) && addressesOf(word, this.#known).next().done !== true);
      if (!this.#isHeld && !isLast) continue;
      end = isLast && !this.#isHeld ? Math.max(index, text.length - MAX_START_LENGTH) : index;
      break;
    }
    this.#shown += end;
    this.#rest = text.slice(end);
    return text.slice(0, end);
  }

  #showEscaped(): string {
    this.#escaped = (this.#escaped ?? "") + escaped(this.#rest ?? (this.#block + this.#line).slice(this.#shown));
    this.#rest = "";
    this.#shown = this.#line.length;
    this.#block = "";
    return this.#escapedPieces(MAX_LENGTH);
  }
}
