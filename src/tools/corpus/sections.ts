import type { Block, ExtractedDocument } from "../../domain/document.ts";
import { isGraphemeBoundary, type Span, splitSentences } from "../../ranking/sentences.ts";
import { tokenize } from "../../ranking/tokenize.ts";

interface Section extends Span {
  readonly headings: readonly string[];
}

// Lengths are in UTF-16 code units.
const MIN_SECTION_LENGTH = 400;
const TARGET_SECTION_LENGTH = 1_600;
const MAX_SECTION_LENGTH = 4_000;
const SNIPPET_LENGTH = 300;
const CUT_AFTER = /[\s,;.!?，、；。！？]/;

interface OpenSection {
  start: number;
  end: number;
  readonly headings: string[];
  hasBody: boolean;
}

export function splitSections({ text, blocks }: Pick<ExtractedDocument, "text" | "blocks">): Section[] {
  const sections: Section[] = [];
  const path: { level: number; text: string }[] = [];
  let current: OpenSection | null = null;
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

function isFull({ start, end, hasBody }: OpenSection, next: Block): boolean {
  if (!hasBody) return false;
  return next.kind === "heading" ? end - start >= MIN_SECTION_LENGTH : next.end - start > TARGET_SECTION_LENGTH;
}

function close(text: string, { start, end, headings }: OpenSection): Section[] {
  return cutSpan(text, { start, end }, MAX_SECTION_LENGTH).map((span) => ({ ...span, headings }));
}

function cutSpan(text: string, { start, end }: Span, maxLength: number): Span[] {
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
  for (let at = latest; at > earliest; at--) if (CUT_AFTER.test(text.charAt(at - 1)) && isGraphemeBoundary(text, at)) return at;
  for (let at = latest; at > earliest; at--) if (isGraphemeBoundary(text, at)) return at;
  return latest;
}

/** A text and its sentences, of which each has at most 300 UTF-16 code units. */
export interface SplitText {
  readonly text: string;
  readonly pieces: readonly (Span & { readonly terms: readonly string[] })[];
}

export function splitText(text: string): SplitText {
  const spans = splitSentences(text).flatMap((sentence) => cutSpan(text, sentence, SNIPPET_LENGTH));
  return { text, pieces: spans.map((span) => ({ ...span, terms: tokenize(text.slice(span.start, span.end)) })) };
}

/** Returns the passage with the most of `terms`: at most 300 UTF-16 code units, cut at sentences if possible. */
export function bestSnippet({ text, pieces: all }: SplitText, terms: readonly string[]): string {
  const wanted = new Set(terms);
  const pieces = all.map((piece) => ({ ...piece, found: piece.terms.filter((term) => wanted.has(term)) }));
  let best = { start: 0, end: 0, score: -1 };
  for (const [first, { start }] of pieces.entries()) {
    const passage = passageFrom(pieces, first);
    if (passage.score > best.score) best = { start, ...passage };
  }
  return text.slice(best.start, best.end).trim();
}

/** Returns the longest passage that begins at `first`. A new term scores 1, a repeated term 0.01. */
function passageFrom(pieces: readonly (Span & { readonly found: readonly string[] })[], first: number): { end: number; score: number } {
  const start = pieces[first]?.start ?? 0;
  const seen = new Set<string>();
  let repeats = 0;
  let end = start;
  for (const piece of pieces.slice(first, first + SNIPPET_LENGTH)) {
    if (piece.end - start > SNIPPET_LENGTH) break;
    for (const token of piece.found) {
      if (seen.has(token)) repeats++;
      seen.add(token);
    }
    end = piece.end;
  }
  return { end, score: seen.size + Math.min(repeats, 99) / 100 };
}
