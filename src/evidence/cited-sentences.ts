import { type Span, splitSentences } from "../ranking/sentences.ts";
import { firstIndex } from "../util/first-index.ts";
import type { LongWork } from "../util/turns.ts";
import { findMarkers, type Marker, type MarkerContext } from "./citation-markers.ts";
import { replaceHosts } from "./host-names.ts";
import { blankStruckText, codeFences, type MarkdownBlock, markdownBlocks, removeBlanks } from "./markdown-blocks.ts";

export interface CitedSentence {
  readonly text: string;
  readonly section: string;
  readonly markers: readonly Marker[];
  readonly end: number;
}

export function* readSentences(
  text: string,
  context: MarkerContext,
  section = "",
): LongWork<{ readonly sentences: readonly CitedSentence[]; readonly text: string }> {
  const unmarked = removeStruck(removeMarkers(text, yield* findMarkers(text, context, codeFences(text))));
  const sentences: CitedSentence[] = [];
  let heading = section;
  let anchor = 0;
  const blocks = markdownBlocks(unmarked.text);
  for (const [i, block] of blocks.entries()) {
    yield;
    const until = blocks[i + 1]?.start ?? unmarked.text.length + 1;
    const anchors: Anchor[] = [];
    for (let next = unmarked.anchors[anchor]; next !== undefined && next.at < until; next = unmarked.anchors[++anchor]) anchors.push(next);
    if (block.kind === "heading") heading = plainMarkdown(unmarked.text.slice(block.start, block.end));
    else if (block.kind !== "note") yield* readBlock(block, anchors, unmarked, heading, sentences);
  }
  return { sentences, text: removeBlanks(unmarked.text) };
}

function removeStruck(unmarked: Unmarked): Unmarked {
  const { text, struck } = blankStruckText(unmarked.text);
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

/** Appends the sentences of a block to `sentences`. */
function* readBlock(
  block: MarkdownBlock,
  anchors: readonly Anchor[],
  unmarked: Unmarked,
  section: string,
  sentences: CitedSentence[],
): LongWork<void> {
  const { text } = unmarked;
  const spans = block.kind === "row" ? [block] : split(text, block, anchors);
  const written = ({ start, end }: Span): string => plainMarkdown(text.slice(start, Math.min(end, start + MAX_SENTENCE)).toWellFormed());
  const worded: (Span & { readonly text: string })[] = [];
  for (const span of spans) {
    const words = written(span);
    if (/[\p{L}\p{N}]/u.test(words)) worded.push({ ...span, text: words });
    yield;
  }
  const owned = worded.map((): Marker[] => []);
  let owner = 0;
  for (const { at, marker } of anchors) {
    while ((worded[owner + 1]?.start ?? at) < at) owner++;
    owned[owner]?.push(marker);
  }
  for (const [i, span] of worded.entries()) {
    const markers = owned[i] ?? [];
    const last = Math.max(unmarked.originalEnd(span.end), ...markers.map((marker) => marker.end));
    sentences.push({ text: span.text, section, markers, end: last });
    yield;
  }
}

function split(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const plain = text
    .slice(block.start, block.end)
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

/** A full stop before a citation ends a sentence, even after an abbreviation. */
function cutAtAnchors(text: string, block: Span, anchors: readonly Anchor[]): Span[] {
  const spans: Span[] = [];
  let start = block.start;
  for (const { at } of anchors) {
    if (at <= start || at >= block.end) continue;
    const endsSentence = /[.!?。！？…；;]["'”’」』)）*_]{0,3}$/.test(text.slice(Math.max(start, at - 6), at));
    if (!endsSentence || /^\s*\p{Ll}/u.test(text.slice(at, at + 4))) continue;
    spans.push({ start, end: at });
    start = at;
  }
  return [...spans, { start, end: block.end }];
}

/** Digits in `<sup>` become superscript characters, so that 10<sup>6</sup> does not become 106. */
function plainMarkdown(text: string): string {
  return removeBlanks(text)
    .replaceAll(/!?\[([^[\]]{0,500})\](?:\([^()]{0,2000}(?:\([^()]{0,500}\)[^()]{0,500})?\)|\[[^[\]]{0,500}\])/g, "$1")
    .replaceAll(/<sup>(\d{1,20})<\/sup>/gi, (_, raised: string) => raised.replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit))))
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,2000}>/g, "")
    .replaceAll(/(\*{1,3}|_{2,3}|~~|`{1,2})(?=\S)([^*_~`\n]{1,2000}?)(?<=\S)\1/g, "$2")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s*|[-*+•]\s+)+/, "")
    .replace(/\s#+$/, "")
    .replace(/^\|\s*/, "")
    .replace(/(?<![\s|])[\s|]*\|$/, "")
    .replaceAll(/\*{2,}/g, "")
    .trim();
}

interface Anchor {
  readonly at: number;
  readonly marker: Marker;
}

type Unmarked = Readonly<ReturnType<typeof removeMarkers>>;

function removeMarkers(text: string, markers: readonly Marker[]) {
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
    keep(trimBlanks(text.slice(from, marker.start)), from);
    anchors.push({ at: length, marker });
    from = marker.end;
    const next = text.charAt(from);
    if (last === "" || last === "\n") from += /^[^\S\n]*/.exec(text.slice(from, from + 8))?.[0].length ?? 0;
    else if (/[\p{sc=Latin}\p{N}.!?]/u.test(last) && /[\p{L}\p{N}]/u.test(next)) keep(" ", from);
  }
  keep(text.slice(from), from);
  const originalEnd = (offset: number): number => {
    const piece = pieces[firstIndex(pieces.length, (i) => (pieces[i]?.at ?? 0) >= offset) - 1];
    return piece === undefined ? 0 : piece.from + offset - piece.at;
  };
  return { text: kept.join(""), anchors, originalEnd };
}

function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && /[^\S\n]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, /[^\n>|]/.test(text.charAt(end - 1)) ? end : end + 1);
}
