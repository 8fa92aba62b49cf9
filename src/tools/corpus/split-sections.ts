import type { Block, ExtractedDocument } from "../../domain/document.ts";
import { isGraphemeBoundary, type Span } from "../../ranking/sentences.ts";

/** A stretch of a document that is searched as one, with the headings it stands under. */
export interface Section extends Span {
  readonly headings: readonly string[];
}

/** A section is closed at a heading from this length on, and before a block that would take it above the other. */
const MIN_SECTION_LENGTH = 400;
const TARGET_SECTION_LENGTH = 1_600;
const MAX_SECTION_LENGTH = 4_000;
const CUT_BEHIND = /[\s,;.!?，、；。！？]/;

interface Growing {
  start: number;
  end: number;
  readonly headings: string[];
  hasBody: boolean;
}

/** The sections of a document, in order; together they hold every block. */
export function splitSections({ text, blocks }: Pick<ExtractedDocument, "text" | "blocks">): Section[] {
  const sections: Section[] = [];
  const path: { level: number; text: string }[] = [];
  let current: Growing | null = null;
  for (const block of blocks) {
    if (current && isFull(current, block)) {
      sections.push(...close(text, current));
      current = null;
    }
    const heading = block.kind === "heading" ? text.slice(block.start, block.end) : null;
    if (heading !== null) {
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, text: heading });
    }
    current ??= { start: block.start, end: block.end, headings: path.map((above) => above.text), hasBody: false };
    if (heading !== null && current.headings.at(-1) !== heading) current.headings.push(heading);
    current.end = block.end;
    current.hasBody ||= heading === null;
  }
  return current ? [...sections, ...close(text, current)] : sections;
}

function isFull(current: Growing, next: Block): boolean {
  if (!current.hasBody) return false;
  return next.kind === "heading" ? current.end - current.start >= MIN_SECTION_LENGTH : next.end - current.start > TARGET_SECTION_LENGTH;
}

function close(text: string, { start, end, headings }: Growing): Section[] {
  return cutSpan(text, { start, end }, MAX_SECTION_LENGTH).map((span) => ({ ...span, headings }));
}

/** Consecutive pieces of at most `maxLength` code units, cut behind white space or punctuation where there is any. */
export function cutSpan(text: string, { start, end }: Span, maxLength: number): Span[] {
  const pieces: Span[] = [];
  let from = start;
  while (end - from > maxLength) {
    const to = cutBefore(text, from + maxLength, from + Math.ceil(maxLength / 2));
    pieces.push({ start: from, end: to });
    from = to;
  }
  return [...pieces, { start: from, end }];
}

function cutBefore(text: string, latest: number, earliest: number): number {
  for (let at = latest; at > earliest; at--) if (CUT_BEHIND.test(text.charAt(at - 1)) && isGraphemeBoundary(text, at)) return at;
  for (let at = latest; at > earliest; at--) if (isGraphemeBoundary(text, at)) return at;
  return latest;
}
