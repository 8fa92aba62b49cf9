import type { TextFilter } from "../domain/ports/models.ts";
import type { LongWork } from "../util/turns.ts";
import { addressesOf, removeInvisible } from "./address-filter.ts";
import { createKnownAddresses, type FindKnownAddress } from "./known-addresses.ts";
import { endsInCode, markBlocks } from "./markdown-addresses.ts";

/** `MarkdownFilter` for a whole text. */
export function markMarkdown(text: string, known: Iterable<string>): string {
  const filter = new MarkdownFilter(known);
  return filter.push(text) + filter.end();
}

/** In UTF-16 code units. */
const PIECE_LENGTH = 2_048;

/** Like `markMarkdown`, as long work. */
export function* markedMarkdown(text: string, known: Iterable<string>): LongWork<string> {
  const filter = new MarkdownFilter(known);
  const marked: string[] = [];
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    marked.push(filter.push(text.slice(at, at + PIECE_LENGTH)));
    yield;
  }
  return marked.join("") + filter.end();
}

/** Lines in which blocks begin wherever they stand, but for code. */
const BLOCK_START = /^(?:[-*+][ \t]+\S|#{1,6}[ \t])/;
const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
/** A fence that is indented, or in an item or quotation. */
const INNER_FENCE = /^(?:[ \t>]|[-*+][ \t]|\d+[.)][ \t])+(?:`{3}|~{3})/m;
const WORD = /[^\s，；：！？、（）「」『』《》【】“”‘’…]+/g;
const MAY_BE_ADDRESS = /[:.@/\\&。．｡]/;
const MAY_BE_LINK = /\[|<(?:[a-z/!?]|$)/i;
/** In UTF-16 code units: an address begins within the last ones of a longer word. */
const MAX_WORD = 700;

/** Marks unknown addresses of a Markdown text in pieces: see `markBlocks`. Shows the words of a block before its first possible address at once. */
export class MarkdownFilter implements TextFilter {
  readonly #known: FindKnownAddress;
  /** The lines of a block, and the beginning of the next line. */
  #block = "";
  #line = "";
  /** How much of both has been shown. */
  #shown = 0;
  #isHeld = false;
  #afterBlank = false;
  /** The length of the block up to which it is known to end in code. */
  #codeUntil = 0;
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
      if (line.endsWith("\n")) shown += this.#takeLine();
    }
    return shown + this.#showWords();
  }

  #takeLine(): string {
    const line = this.#line;
    if (this.#fence !== null) {
      if (isClosing(line, this.#fence)) this.#fence = null;
      this.#line = "";
      return line;
    }
    const mark = FENCE.exec(line.trimEnd())?.[0];
    const mayEnd = mark !== undefined || BLOCK_START.test(line) || (this.#afterBlank && /^\S/.test(line));
    const isEnd = mayEnd && !this.#isInCode();
    const before = isEnd ? this.#flush() : "";
    this.#line = "";
    this.#block += line;
    this.#afterBlank = line.trim() === "";
    if (mark === undefined || !isEnd) return before;
    const opening = line.slice(this.#shown);
    this.#fence = mark;
    this.#block = "";
    this.#shown = 0;
    this.#isHeld = false;
    return before + opening;
  }

  /** Looks again only when the block has grown by a quarter, because it reads the block from its beginning. */
  #isInCode(): boolean {
    const { length } = this.#block;
    if (length < this.#codeUntil || (INNER_FENCE.test(this.#block) && endsInCode(this.#block))) {
      this.#codeUntil = Math.max(this.#codeUntil, length * 1.25);
      return true;
    }
    return false;
  }

  /** Ends the block. */
  #flush(): string {
    const shown = Math.min(this.#shown, this.#block.length);
    const marked = markBlocks(this.#block, this.#known, shown).slice(shown);
    this.#shown -= shown;
    this.#block = "";
    this.#isHeld = false;
    this.#codeUntil = 0;
    return marked;
  }

  #showWords(): string {
    if (this.#isHeld || this.#fence !== null) return "";
    const { length } = this.#block;
    const text = this.#shown < length ? this.#block.slice(this.#shown) + this.#line : this.#line.slice(this.#shown - length);
    let end = text.length;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const isLast = index + word.length === text.length;
      this.#isHeld =
        MAY_BE_LINK.test(word) || (!isLast && MAY_BE_ADDRESS.test(word) && addressesOf(word, this.#known).next().done !== true);
      if (!this.#isHeld && !isLast) continue;
      end = isLast && !this.#isHeld ? Math.max(index, text.length - MAX_WORD) : index;
      break;
    }
    this.#shown += end;
    return text.slice(0, end);
  }
}

function isClosing(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line.trimEnd())?.[1];
  return mark?.startsWith(fence) === true;
}
