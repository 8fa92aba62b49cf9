import type { Block } from "../domain/document.ts";

/** A block before it has its place: `text` is collapsed (`collapse`) or, for code, cleaned (`cleanCode`). */
export interface BlockDraft {
  readonly kind: Block["kind"];
  readonly level: number;
  readonly text: string;
}

/** Scripts written without spaces, where a line break within a paragraph stands for nothing. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`;
const UNSPACED_LINE_BREAK = new RegExp(String.raw`(?<=${UNSPACED})[^\S\n]*\n\s*(?=${UNSPACED})`, "gu");
/** White space, except a space that carries a combining mark: it is a visible character of its own. */
const WHITE_SPACE = /\s+(?!\p{M})/gu;

/** One line: white space becomes one space, at the ends and between two Chinese or Japanese lines none. */
export function collapse(text: string): string {
  return purify(text).replaceAll(UNSPACED_LINE_BREAK, "").replaceAll(WHITE_SPACE, " ").trim();
}

/** Code with its lines kept, without the indentation that all lines share, without empty lines at its ends. */
export function cleanCode(text: string): string {
  const lines = purify(text)
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  const indents = lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => line.slice(Number.isFinite(shared) ? shared : 0))
    .join("\n")
    .trim();
}

/** Well-formed UTF-16 without byte order marks and NUL. */
function purify(text: string): string {
  return text.replaceAll(/[\0\ufeff]/g, "").toWellFormed();
}

/**
 * Joins drafts to one text and gives each its offsets. Items of a list and rows of one table follow each other after one
 * line break, all other blocks after two. Drafts without text are left out.
 */
export function assemble(drafts: readonly BlockDraft[]): { text: string; blocks: Block[] } {
  const parts: string[] = [];
  const blocks: Block[] = [];
  let length = 0;
  let previous: BlockDraft | undefined;
  for (const draft of drafts) {
    if (draft.text === "") continue;
    const separator = previous === undefined ? "" : separatorBetween(previous, draft);
    const start = length + separator.length;
    parts.push(separator, draft.text);
    length = start + draft.text.length;
    blocks.push({ kind: draft.kind, start, end: length, level: draft.level });
    previous = draft;
  }
  return { text: parts.join(""), blocks };
}

function separatorBetween(previous: BlockDraft, next: BlockDraft): string {
  const sameRun = previous.kind === next.kind && (next.kind === "list-item" || (next.kind === "table-row" && next.level === 0));
  return sameRun ? "\n" : "\n\n";
}

/** How many UTF-16 code units of text the drafts hold, separators not counted. */
export function lengthOf(drafts: readonly BlockDraft[]): number {
  return drafts.reduce((sum, draft) => sum + draft.text.length, 0);
}

/** What a format's extractor finds, before language, fallback title and offsets are settled for all formats alike. */
export interface Draft {
  readonly drafts: readonly BlockDraft[];
  readonly title: string | null;
  /** As declared, unchecked. */
  readonly language: string | null;
  readonly publishedAt: string | null;
  readonly author: string | null;
  /** A sentence that says what the text lacks; absent if it lacks nothing. */
  readonly incomplete?: string;
}
