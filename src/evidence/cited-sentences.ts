import { CELL_SEPARATOR } from "../domain/blocks.ts";
import { type Span, splitSentences } from "../ranking/sentences.ts";
import { mapProse, splitCode } from "../util/code-spans.ts";
import { addressesOf, removeInvisible } from "./address-filter.ts";
import type { Anchor, Marker } from "./citation-markers.ts";
import type { FindKnownAddress } from "./known-addresses.ts";
import { markBlocks } from "./markdown-addresses.ts";
import { type MarkdownBlock, removeBlanks } from "./markdown-blocks.ts";
import { replaceSpans } from "./replace-spans.ts";

export interface CitedSentence {
  readonly text: string;
  readonly section: string;
  readonly markers: readonly Marker[];
  /** The cells of a row of a table; null for other sentences. */
  readonly cells: readonly string[] | null;
  /** The sentence in Markdown, with the targets of its links. */
  readonly written: string;
}

export function wordsOf(text: string, { start, end }: Span, known: FindKnownAddress): string {
  return plainMarkdown(text.slice(start, Math.min(end, start + MAX_SENTENCE)).toWellFormed(), known);
}

const MAX_CELLS = 100;

/** A pipe in a cell stands without spaces, which make it a separator. In a cell, `<br>` is the only way to break a line. */
export function cellsOf(text: string, { start, end }: Span, known: FindKnownAddress): string[] {
  const line = text
    .slice(start, Math.min(end, start + MAX_SENTENCE))
    .toWellFormed()
    .trim();
  const inside = line.slice(line.startsWith("|") ? 1 : 0, line.endsWith("|") ? -1 : undefined);
  // Cells are joined by a pipe between spaces, so one inside of a cell stands without.
  const broken = mapProse(inside, (prose) => prose.replaceAll(/<br\s?\/?>/gi, " "));
  return broken.split(/(?<!\\)\|/, MAX_CELLS).map((cell) => plainMarkdown(cell.replaceAll(/\s*\\\|\s*/g, "|"), known));
}

/** In UTF-16 code units. The rest of a longer sentence is dropped. */
const MAX_SENTENCE = 10_000;

/** @param around the section and the known addresses of all sentences of a block */
export function sentencesOf(
  block: MarkdownBlock,
  anchors: readonly Anchor[],
  text: string,
  { section, known }: { readonly section: string; readonly known: FindKnownAddress },
): CitedSentence[] {
  const isRow = block.kind === "row";
  const spans = isRow ? [block] : split(text, block, anchors);
  const worded: (Span & { readonly words: string })[] = [];
  for (const span of spans) {
    const words = wordsOf(text, span, known);
    if (/[\p{L}\p{N}]/u.test(words)) worded.push({ ...span, words });
  }
  const owned = worded.map((): Marker[] => []);
  let owner = 0;
  for (const { at, marker } of anchors) {
    while ((worded[owner + 1]?.start ?? at) < at) owner++;
    owned[owner]?.push(marker);
  }
  return worded.map((span, i): CitedSentence => {
    const cells = isRow ? cellsOf(text, span, known) : null;
    return {
      text: cells?.join(CELL_SEPARATOR) ?? span.words,
      section,
      markers: withoutNumbers(owned[i] ?? []),
      cells,
      written: text.slice(span.start, Math.min(span.end, span.start + MAX_SENTENCE)),
    };
  });
}

/** A number in brackets is the fault of a sentence that has no quote. Beside a quote it may be copied from the document. */
function withoutNumbers(markers: readonly Marker[]): readonly Marker[] {
  return markers.some(({ found }) => found.length > 0) ? markers.filter(({ isNumber }) => isNumber !== true) : markers;
}

function split(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const content = splitCode(text.slice(block.start, block.end))
    .map((part) => (part.isCode ? part.text.replaceAll(/[^\n]/g, "x") : withoutDots(part.text)))
    .join("")
    .replaceAll("![", " [")
    .replaceAll(/\]\([^()\n]{0,2000}\)/g, (target) => `](${"x".repeat(target.length - 3)})`);
  return cutAtAnchors(text, block, anchors).flatMap(({ start, end }) =>
    splitSentences(content, start - block.start, end - block.start).map((span) => ({
      start: span.start + block.start,
      end: span.end + block.start,
    })),
  );
}

/** An address has no end of a sentence. */
function withoutDots(prose: string): string {
  const addresses = addressesOf(prose, () => null);
  return replaceSpans(prose, addresses, ({ start, end }) => "x".repeat(end - start));
}

/** A full stop before a citation ends a sentence, even after an abbreviation. */
function cutAtAnchors(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const spans: Span[] = [];
  let start = block.start;
  for (const { at } of anchors) {
    if (at <= start || at >= block.end) continue;
    const endsSentence = /[.!?。！？…；;]["'”’」』)）*_\0]{0,3}$/.test(text.slice(Math.max(start, at - 6), at));
    if (!endsSentence || /^\s*\p{Ll}/u.test(text.slice(at, at + 4))) continue;
    spans.push({ start, end: at });
    start = at;
  }
  return [...spans, { start, end: block.end }];
}

/**
 * Returns the words of Markdown with its code spans, HTML included, and its unknown addresses in such spans. Digits in `<sup>` become
 * superscript characters, so that 10<sup>6</sup> does not become 106.
 */
function plainMarkdown(text: string, known: FindKnownAddress): string {
  const marked = markBlocks(removeInvisible(removeBlanks(text)), known);
  const codes: string[] = [];
  const hidden = splitCode(marked).map((part) => (part.isCode ? `\ue000${codes.push(part.text) - 1}\ue001` : part.text));
  return plainProse(hidden.join("")).replaceAll(
    /\ue000(\d+)\ue001/g,
    (whole, index) => codes[Number(index)]?.replaceAll(/\s+/g, " ") ?? whole,
  );
}

function plainProse(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]{0,500})\]\([^()]{0,2000}(?:\([^()]{0,500}\)[^()]{0,500})?\)/g, "$1")
    .replaceAll(/<sup>(\d{1,20})<\/sup>/gi, (_, raised: string) => raised.replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit))))
    .replaceAll(/<(su[bp])>([^<]*)<\/\1>/gi, "$2")
    .replaceAll(/\n[^\S\n]*>[>\s]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s*|[-*+•]\s+)+/, "")
    .replace(/\s#+$/, "")
    .trim();
}
