import type { Box } from "./glyphs.ts";
import { type Segment, SOFT_HYPHEN, union } from "./segments.ts";

/** Segments that stand beside each other and are read as one line, or one line of a cell. */
export interface Line extends Box {
  readonly segments: readonly Segment[];
  readonly text: string;
  readonly size: number;
  readonly bold: boolean;
  readonly turn: number | null;
  readonly vertical: boolean;
}

/** In font sizes: a gap that parts columns or cells, whatever stands on either side. */
const WIDE_GAP = 1.6;
/** In font sizes: characters further apart than this have a space between them. */
const SPACE = 0.15;
/** So many pairs of long segments that begin and end at the same places make a gutter between columns. */
const MIN_GUTTER_LINES = 5;
const LONG_SEGMENT = 12;

/** Joins segments that follow each other in one line; what stands across a gutter or a wide gap stays apart. */
export function toLines(segments: readonly Segment[]): Line[] {
  const gutters = findGutters(segments);
  const groups: Segment[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1)?.at(-1);
    if (last && sameLine(last, segment) && gapBetween(last, segment) < WIDE_GAP * wider(last, segment) && !gutters.has(edgeOf(segment))) {
      groups.at(-1)?.push(segment);
    } else groups.push([segment]);
  }
  return groups.map(toLine);
}

function toLine(segments: readonly Segment[]): Line {
  const longest = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  let text = "";
  let last: Segment | undefined;
  for (const segment of segments) {
    if (last !== undefined && gapBetween(last, segment) > SPACE * wider(last, segment)) text += " ";
    text = text.replace(SOFT_HYPHEN, "") + segment.text;
    last = segment;
  }
  const { size, turn, vertical } = longest;
  const { left, right } = segments.reduce<Box>(union, longest);
  const bold = segments.every((segment) => segment.bold);
  return { left, right, bottom: longest.bottom, top: longest.top, segments, text, size, bold, turn, vertical };
}

/** Whether two boxes overlap in height as two parts of one line do, superscripts included. */
export function sameLine(a: Segment | Line, b: Segment | Line): boolean {
  if (a.turn !== b.turn || a.vertical || b.vertical) return false;
  const overlap = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return overlap >= 0.5 * Math.min(a.top - a.bottom, b.top - b.bottom);
}

/** Points between two boxes of one line; negative where they overlap by more than letters do. */
function gapBetween(a: Box, b: Box): number {
  return Math.max(b.left - a.right, a.left - b.right);
}

function wider(a: Segment, b: Segment): number {
  return Math.max(a.size, b.size);
}

function edgeOf({ left }: Box): number {
  return Math.round(left / 2);
}

/** Left edges (see `edgeOf`) at which the right one of two columns begins that are written line by line, not one after the other. */
function findGutters(segments: readonly Segment[]): Set<number> {
  const counts = new Map<number, number>();
  for (const [i, right] of segments.entries()) {
    const left = segments[i - 1];
    if (!left || !sameLine(left, right) || right.left <= left.right || !isLong(left) || !isLong(right)) continue;
    counts.set(edgeOf(right), (counts.get(edgeOf(right)) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_GUTTER_LINES).map(([edge]) => edge));
}

function isLong({ left, right, size }: Segment): boolean {
  return right - left >= LONG_SEGMENT * size;
}
