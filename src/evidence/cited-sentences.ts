import { CELL_SEPARATOR } from "../domain/blocks.ts";
import { type Span, splitSentences } from "../ranking/sentences.ts";
import { mapProse, proseOf, splitCode } from "../util/code-spans.ts";
import { firstIndex } from "../util/first-index.ts";
import { replaceSpans } from "../util/replace-spans.ts";
import { addressesOf, removeInvisible } from "./address-filter.ts";
import type { Marker } from "./citation-markers.ts";
import { replaceHosts } from "./host-names.ts";
import type { FindKnownAddress } from "./known-addresses.ts";
import { markBlocks } from "./markdown-addresses.ts";
import { blankStruckText, type MarkdownBlock, readFences, removeBlanks } from "./markdown-blocks.ts";

export interface CitedSentence {
  readonly text: string;
  readonly section: string;
  readonly markers: readonly Marker[];
  /** The cells of a row of a table; null for other sentences. */
  readonly cells: readonly string[] | null;
  /** The addresses that it names and that are not known. */
  readonly links: readonly string[];
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

/** In code, `~~` strikes nothing. */
function blankOutsideCode(text: string): ReturnType<typeof blankStruckText> {
  const pieces: string[] = [];
  const struck: Span[] = [];
  let from = 0;
  for (const { start, end } of [...readFences(text).closed, { start: text.length, end: text.length }]) {
    for (const part of splitCode(text.slice(from, start))) {
      const outside = part.isCode ? { text: part.text, struck: [] } : blankStruckText(part.text);
      for (const span of outside.struck) struck.push({ start: from + span.start, end: from + span.end });
      pieces.push(outside.text);
      from += part.text.length;
    }
    pieces.push(text.slice(start, end));
    from = end;
  }
  return { text: pieces.join(""), struck };
}

export function removeStruck(unmarked: Unmarked): Unmarked {
  const { text, struck } = blankOutsideCode(unmarked.text);
  if (struck.length === 0) return unmarked;
  let next = 0;
  const anchors = unmarked.anchors.filter(({ at }) => {
    while ((struck[next]?.end ?? at) < at) next++;
    const { start, end } = struck[next] ?? { start: at, end: at };
    return start >= at || (at === end && !/(?:^|[.!?。！？\n])\s*$/.test(text.slice(Math.max(0, start - 9), start)));
  });
  return { ...unmarked, text, anchors };
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
      links: unknownIn(text, span, known),
    };
  });
}

const MAX_LINKS = 20;

function unknownIn(text: string, { start, end }: Span, known: FindKnownAddress): string[] {
  const prose = proseOf(text.slice(start, Math.min(end, start + MAX_SENTENCE)));
  const unknown = addressesOf(prose, known).filter((found) => found.known === null);
  return [...unknown.map(({ address }) => address).take(MAX_LINKS)];
}

/** A number in brackets is the fault of a sentence that has no quote. Beside a quote it may be copied from the document. */
function withoutNumbers(markers: readonly Marker[]): readonly Marker[] {
  return markers.some(({ found }) => found.length > 0) ? markers.filter(({ isNumber }) => isNumber !== true) : markers;
}

function split(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const plain = splitCode(text.slice(block.start, block.end))
    .map((part) => (part.isCode ? part.text.replaceAll(/[^\n]/g, "x") : withoutDots(part.text)))
    .join("")
    .replaceAll("![", " [")
    .replaceAll(/\]\([^()\n]{0,2000}\)/g, (target) => `](${"x".repeat(target.length - 3)})`);
  const content = replaceHosts(plain, (_, written) => written.replaceAll(/[^\p{L}\p{N}]/gu, "x"));
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

/** The signs that a report puts behind numbers of notes. A writer's own would be taken for them. */
const NOTE_SIGNS = /[†‡]/g;

/**
 * Returns the words of Markdown with its code spans, HTML included, and its unknown addresses in such spans. Digits in `<sup>` become
 * superscript characters, so that 10<sup>6</sup> does not become 106.
 */
function plainMarkdown(text: string, known: FindKnownAddress): string {
  const marked = markBlocks(removeInvisible(removeBlanks(text)), known);
  const codes: string[] = [];
  const hidden = splitCode(marked).map((part) =>
    part.isCode ? `\ue000${codes.push(part.text) - 1}\ue001` : part.text.replaceAll(NOTE_SIGNS, ""),
  );
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

export interface Anchor {
  readonly at: number;
  readonly marker: Marker;
}

export type Unmarked = Readonly<ReturnType<typeof removeMarkers>>;

export function removeMarkers(text: string, markers: readonly Marker[]) {
  const pieces: { at: number; from: number }[] = [];
  const anchors: Anchor[] = [];
  const kept: string[] = [];
  let length = 0;
  let last = "";
  const keep = (piece: string, from: number): void => {
    if (piece === "") return;
    pieces.push({ at: length, from });
    kept.push(piece);
    length += piece.length;
    last = piece.slice(-1);
  };
  let from = 0;
  for (const marker of markers) {
    const between = text.slice(from, marker.start);
    const isBeside = from > 0 && /[^\n>|]/.test(last) && /^[^\S\n]+$/.test(between);
    keep(isBeside ? "" : trimBlanks(between), from);
    anchors.push({ at: length, marker });
    from = marker.end;
    const next = text.charAt(from);
    if (last === "" || last === "\n") from += /^[^\S\n]*/.exec(text.slice(from, from + 8))?.[0].length ?? 0;
    else if (/[\p{sc=Latin}\p{N}.!?]/u.test(last) && /[\p{L}\p{N}]/u.test(next)) keep(" ", from);
  }
  keep(text.slice(from), from);
  const originalStart = (offset: number): number => {
    const piece = pieces[firstIndex(pieces.length, (i) => (pieces[i]?.at ?? 0) > offset) - 1];
    return piece === undefined ? 0 : piece.from + offset - piece.at;
  };
  return { text: kept.join(""), anchors, originalStart };
}

function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && /[^\S\n]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, /[^\n>|]/.test(text.charAt(end - 1)) ? end : end + 1);
}
