import type { Span } from "../ranking/sentences.ts";
import { splitCode } from "../util/code-spans.ts";
import { replaceSpans } from "./replace-spans.ts";

interface Line extends Span {
  /** For headings 1 to 6. For items the depth from 0 to 5. Otherwise 0. */
  readonly level: number;
}

/** `head` and `row` are lines of a table, `more` is a further paragraph of an item, and `note` is a footnote. `code` has its fences. Rules are in no block. */
export interface MarkdownBlock extends Line {
  readonly kind: "text" | "item" | "more" | "head" | "row" | "heading" | "note" | "code";
  /** The number of an item of a numbered list; null for other blocks. */
  readonly number: number | null;
}

export const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A fence alone in its line. One that closes nothing is no words. */
const UNCLOSED = /^ {0,3}(?:`{3,}|~{3,})[^\S\n]*[\w+#.-]{0,20}[^\S\n]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
const BOLD_HEADING = /^\s*\*\*[^*\n]{1,100}[^*\n.。!！?？:：]\*\*\s*$/;
const ITEM = /^([^\S\n]*)(?:[-*+•·▪◦‣][^\S\n]+|(\d{1,3})(?:[.)][^\S\n]+|、[^\S\n]*))/;
const ROW = /^[^\S\n]*\|/;
const RULE = /^[^\S\n]*(?:(?:[-*_=][^\S\n]*){3,}|(?:\|[^\S\n]*)?:?--[-:|\s]*)$/;
const DIVIDER = /^[^\S\n]*(?:\|[^\S\n]*)?:?--[-:|\s]*$/;
const NOTE = /^ {0,3}\[\^[^\]\s]{1,100}\]:/;
const QUOTED = /^[^\S\n]*(?:>[^\S\n]*)+/;
const INDENTED = /^(?: {2,}|\t)/;
const MAX_DEPTH = 5;

interface Fences {
  /** Code from its first fence to its last. A fence that no other one closes is none. */
  readonly closed: Span[];
  /** Where a line begins that opens code whose end has not come; the length of the text if there is none. */
  readonly open: number;
}

export function readFences(text: string): Fences {
  const fences: Span[] = [];
  let open: { start: number; mark: string } | null = null;
  for (const { start, end } of lines(text)) {
    const mark = FENCE.exec(text.slice(start, Math.min(end, start + 40)))?.[1];
    if (open === null && mark !== undefined) open = { start, mark };
    else if (open !== null && mark?.startsWith(open.mark)) {
      fences.push({ start: open.start, end });
      open = null;
    }
  }
  return { closed: fences, open: open?.start ?? text.length };
}

export function markdownBlocks(text: string): MarkdownBlock[] {
  const reader = new BlockReader(text);
  const fences = readFences(text).closed;
  let fence = 0;
  for (const line of lines(text)) {
    while ((fences[fence]?.end ?? text.length) < line.start) fence++;
    const code = fences[fence];
    if (code === undefined || line.start < code.start || line.start >= code.end) reader.push(line, text.slice(line.start, line.end));
    else if (line.start === code.start) reader.pushCode(code);
  }
  return reader.blocks;
}

class BlockReader {
  readonly blocks: MarkdownBlock[] = [];
  readonly #text: string;
  /** Whether the next line continues the last block. */
  #open = false;
  /** Whether the last line is a row of a table without a pipe at the beginning. */
  #inTable = false;
  #headingLevel = 1;
  #isQuoted = false;
  /** The indents of the last item and of those that it lies in. */
  #indents: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  pushCode(fence: Span): void {
    this.#inTable = false;
    this.#open = false;
    this.#add("code", fence, 0);
  }

  push(whole: Span, written: string): void {
    const quoted = QUOTED.exec(written)?.[0].length ?? 0;
    const line = { start: whole.start + quoted, end: whole.end };
    const content = written.slice(quoted);
    if (quoted > 0 && !this.#isQuoted) this.#open = false;
    this.#isQuoted = quoted > 0;
    const last = this.blocks.at(-1);
    const head = DIVIDER.test(content) && last?.end === line.start - 1 ? this.#headIn(last, content) : null;
    if (last !== undefined && head !== null) {
      const above = head.start > last.start ? [{ ...last, end: head.start - 1 }] : [];
      this.blocks.splice(-1, 1, ...above, { ...head, kind: "head", level: 0, number: null });
      this.#inTable = true;
    } else if (content.trim() === "" || RULE.test(content) || UNCLOSED.test(content)) this.#inTable = false;
    else {
      this.#pushContent(line, content);
      return;
    }
    this.#open = false;
  }

  /** Returns the line above a divider if it is the first of its table. It may be the last line of a text, such as a caption. */
  #headIn({ kind, start, end }: MarkdownBlock, divider: string): Span | null {
    const above = this.blocks.at(-2);
    if (kind === "row") return above?.end !== start - 1 || (above.kind !== "row" && above.kind !== "head") ? { start, end } : null;
    if (kind !== "text" || !divider.includes("|")) return null;
    const last = Math.max(start, this.#text.lastIndexOf("\n", end - 1) + 1);
    return this.#text.slice(last, end).includes("|") ? { start: last, end } : null;
  }

  #pushContent(line: Span, content: string): void {
    const level = this.#levelOfHeading(content);
    const isRow = (ROW.test(content) && !this.#isQuoted) || (this.#inTable && content.includes("|"));
    if (level !== null || isRow) {
      this.#add(level === null ? "row" : "heading", line, level ?? 0);
      this.#open = false;
      return;
    }
    this.#inTable = false;
    this.#pushText(line, content);
    this.#open = true;
  }

  #levelOfHeading(content: string): number | null {
    const marks = HEADING.exec(content)?.[1];
    if (marks !== undefined) this.#headingLevel = marks.length;
    if (marks !== undefined) return marks.length;
    return BOLD_HEADING.test(content) ? Math.min(6, this.#headingLevel + 1) : null;
  }

  #pushText(line: Span, content: string): void {
    const last = this.blocks.at(-1);
    const item = itemAt(content);
    if (NOTE.test(content)) this.#add("note", line, 0);
    else if (item !== null) {
      const { indent, number, length } = item;
      const isInList = last?.kind === "item" || last?.kind === "more";
      // A deeper level needs two more spaces.
      const around = isInList ? this.#indents.filter((one) => indent - one >= 2) : [];
      this.#indents = [...around, indent].slice(0, MAX_DEPTH + 1);
      this.#add("item", { start: line.start + length, end: line.end }, Math.min(around.length, MAX_DEPTH), number);
    } else if (this.#open && last !== undefined) this.blocks[this.blocks.length - 1] = { ...last, end: line.end };
    else if (INDENTED.test(content) && (last?.kind === "item" || last?.kind === "more")) this.#add("more", line, last.level);
    else this.#add("text", line, 0);
  }

  #add(kind: MarkdownBlock["kind"], { start, end }: Span, level: number, number: number | null = null): void {
    this.blocks.push({ kind, start, end, level, number });
  }
}

function itemAt(content: string): { readonly indent: number; readonly number: number | null; readonly length: number } | null {
  const [marker, space = "", number] = ITEM.exec(content) ?? [];
  if (marker === undefined) return null;
  return { indent: space.replaceAll("\t", "    ").length, number: number === undefined ? null : Number(number), length: marker.length };
}

function* lines(text: string): Generator<Span> {
  let start = 0;
  while (start <= text.length) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    yield { start, end };
    start = end + 1;
  }
}

/** Stands in place of a mark, so that offsets stay valid. `removeBlanks` removes it. */
const BLANK = "\u0000";

const IN_WORD = /[\p{sc=Latin}\p{N}]/u;

/** Replaces the stars of emphasis by placeholders. As for `_` in CommonMark, those inside a word such as `2**10` are none. */
export function blankEmphasis(text: string, blocks: readonly MarkdownBlock[]): string {
  return replaceSpans(text, blocks, ({ kind, start, end }) => {
    const block = text.slice(start, end);
    if (kind === "row" || kind === "head")
      return block
        .split(/(?<!\\)\|/)
        .map(blankStars)
        .join("|");
    return kind === "code" ? block : blankStars(block);
  });
}

function blankStars(text: string): string {
  const prose = splitCode(text).map((part) => (part.isCode ? "x".repeat(part.text.length) : part.text));
  const emphasis = new Set<number>();
  const open: number[] = [];
  for (const { 0: stars, index } of prose.join("").matchAll(/(?<!\\)\*+/g)) {
    const [before, after] = [text.charAt(index - 1), text.charAt(index + stars.length)];
    const opens = /\S/.test(after) && !IN_WORD.test(before);
    const closes = /\S/.test(before) && !IN_WORD.test(after);
    for (let at = index; at < index + stars.length; at++) {
      const opener = closes && (open.at(-1) ?? at) < index ? open.pop() : undefined;
      if (opener !== undefined) emphasis.add(opener).add(at);
      else if (opens) open.push(at);
    }
  }
  return text.replaceAll("*", (star, at: number) => (emphasis.has(at) ? BLANK : star));
}

export function removeBlanks(text: string): string {
  return text.replaceAll(BLANK, "");
}
