import { type Span, splitSentences } from "../ranking/sentences.ts";
import { findMarkers, type Marker, type MarkerContext } from "./citation-markers.ts";
import { hostNames } from "./host-names.ts";
import { type CitedBlock, citedBlocks, codeFences, withoutGone, withoutStruck } from "./markdown-blocks.ts";

/** A sentence of a model's text with the markers that belong to it. */
export interface CitedSentence {
  /** Plain, in one line. */
  readonly text: string;
  readonly section: string;
  readonly markers: readonly Marker[];
  /** Where it ends in the model's text, its markers included. */
  readonly end: number;
}

export interface CitedSentences {
  readonly sentences: readonly CitedSentence[];
  /** The text without markers. */
  readonly text: string;
}

/** The sentences of a model's text in order, without what it struck through; `section` is the heading they begin under. */
export function readSentences(text: string, context: MarkerContext, section = ""): CitedSentences {
  const unmarked = unstruck(withoutMarkers(text, findMarkers(text, context, codeFences(text))));
  const sentences: CitedSentence[] = [];
  let under = section;
  let anchor = 0;
  const blocks = citedBlocks(unmarked.text);
  for (const [i, block] of blocks.entries()) {
    const until = blocks[i + 1]?.start ?? unmarked.text.length + 1;
    const anchors: Anchor[] = [];
    for (let next = unmarked.anchors[anchor]; next !== undefined && next.at < until; next = unmarked.anchors[++anchor]) anchors.push(next);
    if (block.kind === "heading") under = plainMarkdown(unmarked.text.slice(block.start, block.end));
    else if (block.kind !== "note") sentences.push(...sentencesOf(block, anchors, unmarked, under));
  }
  return { sentences, text: withoutGone(unmarked.text) };
}

/** The markers of what was struck through go with it, also those behind a sentence that was struck as a whole. */
function unstruck(unmarked: Unmarked): Unmarked {
  const { text, struck } = withoutStruck(unmarked.text);
  if (struck.length === 0) return unmarked;
  let next = 0;
  const anchors = unmarked.anchors.filter(({ at }) => {
    while ((struck[next]?.end ?? at) < at) next++;
    const { start, end } = struck[next] ?? { start: at, end: at };
    return start >= at || (at === end && !/(?:^|[.!?。！？\n])\s*$/.test(text.slice(Math.max(0, start - 9), start)));
  });
  return { ...unmarked, text, anchors };
}

/** A marker belongs to the sentence it stands in or behind; one that stands before all of its block, to the first. */
function sentencesOf(block: CitedBlock, anchors: readonly Anchor[], unmarked: Unmarked, section: string): CitedSentence[] {
  const { text } = unmarked;
  const spans = block.kind === "row" ? [block] : split(text, block, anchors);
  const spoken = spans.filter(({ start, end }) => /[\p{L}\p{N}]/u.test(plainMarkdown(text.slice(start, end))));
  const owned = spoken.map((): Anchor[] => []);
  let owner = 0;
  for (const anchor of anchors) {
    while ((spoken[owner + 1]?.start ?? anchor.at) < anchor.at) owner++;
    owned[owner]?.push(anchor);
  }
  return spoken.map(({ start, end }, i): CitedSentence => {
    const markers = (owned[i] ?? []).map(({ marker }) => marker);
    return {
      text: plainMarkdown(text.slice(start, end)),
      section,
      markers,
      end: Math.max(unmarked.originalEnd(end), ...markers.map((marker) => marker.end)),
    };
  });
}

/** Targets of links, the mark of an image and names of hosts end no sentence, whatever they hold. */
function split(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const plain = text
    .slice(block.start, block.end)
    .replaceAll("![", " [")
    .replaceAll(/\]\([^()\n]{0,2000}\)/g, (target) => `](${"x".repeat(target.length - 3)})`);
  const content = withoutDots(plain);
  return cutAtAnchors(text, block, anchors).flatMap(({ start, end }) =>
    splitSentences(content, start - block.start, end - block.start).map((span) => ({
      start: span.start + block.start,
      end: span.end + block.start,
    })),
  );
}

/** `text`, of the same length, without the dots of hosts. */
function withoutDots(text: string): string {
  let from = 0;
  const parts = hostNames(text).flatMap(({ start, end }) => {
    const before = text.slice(from, start);
    from = end;
    return [before, text.slice(start, end).replaceAll(/[^\p{L}\p{N}]/gu, "x")];
  });
  return [...parts, text.slice(from)].join("");
}

/** A marker behind a full stop ends its sentence, even where what is before it looks like an abbreviation. */
function cutAtAnchors(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const spans: Span[] = [];
  let start = block.start;
  for (const { at } of anchors) {
    if (at <= start || at >= block.end) continue;
    if (!/[.!?。！？…；;]["'”’」』)）*_]{0,3}$/.test(text.slice(Math.max(start, at - 6), at)) || /^\s*\p{Ll}/u.test(text.slice(at, at + 4)))
      continue;
    spans.push({ start, end: at });
    start = at;
  }
  return [...spans, { start, end: block.end }];
}

/**
 * A sentence of Markdown as a line of plain text: links and images as their words without targets, no emphasis, code marks, HTML
 * tags (raised digits stay raised), bullets, heading marks and outer bars of table rows.
 */
function plainMarkdown(text: string): string {
  return withoutGone(text)
    .replaceAll(/!?\[([^[\]]{0,500})\](?:\([^()]{0,2000}(?:\([^()]{0,500}\)[^()]{0,500})?\)|\[[^[\]]{0,500}\])/g, "$1")
    .replaceAll(/<sup>(\d{1,20})<\/sup>/gi, (_, raised: string) => raised.replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit))))
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,2000}>/g, "")
    .replaceAll(/(\*{1,3}|_{2,3}|~~|`{1,2})(?=\S)([^*_~`\n]{1,2000}?)(?<=\S)\1/g, "$2")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s*|[-*+•]\s+)+/, "")
    .replace(/\s#+$/, "")
    .replace(/^\|\s*/, "")
    .replace(/[\s|]*\|$/, "")
    .replaceAll(/\*{2,}/g, "")
    .trim();
}

/** Where in the text without markers a marker stood. */
interface Anchor {
  readonly at: number;
  readonly marker: Marker;
}

interface Unmarked {
  readonly text: string;
  readonly anchors: readonly Anchor[];
  /** Where in the original the text before `offset` ends. */
  originalEnd(offset: number): number;
}

/** `text` without its markers, and without the white space that would stay behind. */
function withoutMarkers(text: string, markers: readonly Marker[]): Unmarked {
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
    keep(text.slice(from, marker.start).replace(/(?<!^|[\n>|])[^\S\n]+$/, ""), from);
    anchors.push({ at: length, marker });
    from = marker.end;
    const next = text.charAt(from);
    const atLineStart = last === "" || last === "\n";
    if (atLineStart) from += /^[^\S\n]*/.exec(text.slice(from, from + 8))?.[0].length ?? 0;
    else if (/[\p{sc=Latin}\p{N}.!?]/u.test(last) && /[\p{L}\p{N}]/u.test(next)) keep(" ", from);
  }
  keep(text.slice(from), from);
  return { text: kept.join(""), anchors, originalEnd: (offset) => originalEnd(pieces, offset) };
}

function originalEnd(pieces: readonly { at: number; from: number }[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieces[middle]?.at ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  return piece === undefined ? 0 : piece.from + offset - piece.at;
}
