import type { Block, Place } from "../domain/document.ts";
import type { DraftLink } from "./links.ts";

export interface BlockDraft {
  readonly kind: Block["kind"];
  readonly level: number;
  readonly text: string;
  readonly place?: Place;
  /** Absent if there are none. */
  readonly links?: readonly DraftLink[];
}

const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`;
const UNSPACED_LINE_BREAK = new RegExp(String.raw`(?<=${UNSPACED})[^\S\n]*\n\s*(?=${UNSPACED})`, "gu");
const WHITE_SPACE = /\s+(?!\p{M})/gu;

/** Returns text as one line with single spaces. Joins Chinese or Japanese lines without a space. */
export function collapse(text: string): string {
  return purify(text).replaceAll(UNSPACED_LINE_BREAK, "").replaceAll(WHITE_SPACE, " ").trim();
}

export function cleanCode(text: string): string {
  const lines = purify(text)
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  const indents = lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
  const code = lines.map((line) => line.slice(shared)).join("\n");
  return code.trim();
}

function purify(text: string): string {
  return text.replaceAll(/[\0\ufeff]/g, "").toWellFormed();
}

/** More blocks take longer to check and to copy between processes than their text. */
const MAX_BLOCKS = 10_000;

/** Joins drafts. All that follows the first 10,000 blocks is one paragraph. */
export function assemble(drafts: readonly BlockDraft[]): { text: string; blocks: Block[] } {
  const parts: string[] = [];
  const blocks: Block[] = [];
  let length = 0;
  let previous: BlockDraft | undefined;
  for (const draft of drafts) {
    if (draft.text === "") continue;
    const isSameList = previous?.kind === draft.kind && (draft.kind === "list-item" || (draft.kind === "table-row" && draft.level === 0));
    const separator = previous === undefined ? "" : isSameList ? "\n" : "\n\n";
    const start = length + separator.length;
    parts.push(separator, draft.text);
    length = start + draft.text.length;
    const last = blocks[MAX_BLOCKS];
    if (last !== undefined) blocks[MAX_BLOCKS] = { kind: "paragraph", start: last.start, end: length, level: 0 };
    else blocks.push({ kind: draft.kind, start, end: length, level: draft.level, ...(draft.place && { place: draft.place }) });
    previous = draft;
  }
  return { text: parts.join(""), blocks };
}

export function lengthOf(drafts: readonly BlockDraft[]): number {
  return drafts.reduce((sum, draft) => sum + draft.text.length, 0);
}

/** Of a document that says nothing of itself. */
export const NO_METADATA = { title: null, language: null, publishedAt: null, author: null };

export interface Draft {
  readonly drafts: readonly BlockDraft[];
  readonly title: string | null;
  readonly language: string | null;
  readonly publishedAt: string | null;
  readonly author: string | null;
  /** The address that relative links of the page begin with, as the page gives it. */
  readonly base?: string;
  /** A sentence that says what of the file could not be read, or was left out. */
  readonly incomplete?: string;
}
