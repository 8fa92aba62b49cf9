import type { Box } from "./pdfium.ts";
import { gapBetween, type Page, type Segment, SOFT_HYPHEN, union } from "./read-page.ts";

export type Line = Readonly<ReturnType<typeof toLine>>;

/** In font sizes: a gap of this width always separates columns or cells. */
const MIN_WIDE_GAP = 1.6;
/** In font sizes: a gap of this width is read as a space. */
const MIN_SPACE = 0.15;
/** Lines with two long segments each; this many with the gap in one place show a gutter between columns. */
const MIN_GUTTER_LINES = 5;
const LONG_SEGMENT = 12;

/** Joins segments that follow each other in one line, but not across a gutter or a wide gap. */
export function toLines(segments: readonly Segment[]): Line[] {
  const gutters = findGutters(segments);
  const groups: Segment[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1)?.at(-1);
    if (last && sameLine(last, segment) && gapOf(last, segment) < MIN_WIDE_GAP * wider(last, segment) && !gutters.has(edgeOf(segment))) {
      groups.at(-1)?.push(segment);
    } else groups.push([segment]);
  }
  return groups.map((group) => toLine(joinLetters(group)));
}

const LETTERS = /^\p{L}(?: \p{L})*$/u;
const MIN_LETTERS = 4;

/** Joins letters that each have a segment of their own, as in the boxes of a form. */
function joinLetters(segments: readonly Segment[]): Segment[] {
  const runs: Segment[][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    if (run && LETTERS.test(segment.text) && LETTERS.test(run[0]?.text ?? "")) run.push(segment);
    else runs.push([segment]);
  }
  return runs.flatMap((run) => {
    const text = run.map((segment) => segment.text.replaceAll(" ", "")).join("");
    const [first] = run;
    return first && run.length > 1 && text.length >= MIN_LETTERS ? [{ ...first, ...run.reduce<Box>(union, first), text }] : run;
  });
}

function toLine(segments: readonly Segment[]) {
  const longest = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  let text = "";
  let last: Segment | undefined;
  for (const segment of segments) {
    if (last !== undefined && gapOf(last, segment) > MIN_SPACE * wider(last, segment)) text += " ";
    text = text.replace(SOFT_HYPHEN, "") + segment.text;
    last = segment;
  }
  const { size, turn, vertical } = longest;
  const { left, right } = segments.reduce<Box>(union, longest);
  const bold = segments.every((segment) => segment.bold);
  return { left, right, bottom: longest.bottom, top: longest.top, segments, text, size, bold, turn, vertical };
}

/** Whether two boxes overlap in height like parts of one line, superscripts included. */
export function sameLine(a: Segment | Line, b: Segment | Line): boolean {
  if (a.turn !== b.turn || a.vertical || b.vertical) return false;
  const overlap = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return overlap >= 0.5 * Math.min(a.top - a.bottom, b.top - b.bottom);
}

function gapOf(last: Segment, next: Segment): number {
  return gapBetween(last, next) - Math.min(last.tracking, next.tracking);
}

function wider(a: Segment, b: Segment): number {
  return Math.max(a.size, b.size);
}

function edgeOf({ left }: Box): number {
  return Math.round(left / 2);
}

/** Left edges (see `edgeOf`) of right columns, where two columns are written line by line. */
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

export interface LinedPage {
  readonly page: Page;
  readonly lines: readonly Line[];
}

/** Headers and footers are within this share of a page's height from its top or bottom. */
const MAX_MARGIN_SHARE = 0.12;
/** A line on at least this many pages is a header or footer. */
const MIN_REPEATS = 3;
const FEW_PAGES = 4;
const NUMBER_SHARE = 0.2;
const PAGE_NUMBER =
  /^(?:[-–—•.\s]*(?:page|p\.|第|頁|页)?\s*(?:\d{1,4}|[ivxl]{1,6})\s*(?:页|頁|of \d{1,4}|\/\s*\d{1,4}|共\s*\d{1,4}\s*[页頁])?[-–—•.\s]*)$/i;
const MIN_LINE_NUMBERS = 5;

/** Removes headers, footers, page numbers and line numbers at the margin. */
export function withoutFurniture(pages: readonly LinedPage[]): LinedPage[] {
  const repeats = new Map<string, number>();
  for (const { page, lines } of pages) {
    const keys = new Set(lines.filter((line) => isAtMargin(line, page)).map((line) => keyOf(line)));
    for (const key of keys) repeats.set(key, (repeats.get(key) ?? 0) + 1);
  }
  const enough = pages.length <= FEW_PAGES ? 2 : MIN_REPEATS;
  return pages.map(({ page, lines }) => {
    const numbers = lineNumbers(lines);
    const isFurniture = (line: Line): boolean =>
      numbers.has(line) || (isAtMargin(line, page) && (repeats.get(keyOf(line)) ?? 0) >= enough) || isPageNumber(line, lines, page);
    return { page, lines: lines.filter((line) => !isFurniture(line)) };
  });
}

function isAtMargin({ top, bottom, turn, vertical }: Line, { edges, turn: main }: Page, share = MAX_MARGIN_SHARE): boolean {
  if (vertical || turn !== main) return false;
  const height = (edges.top - edges.bottom) * share;
  return bottom >= edges.top - height || top <= edges.bottom + height;
}

/** Equal for lines with the same words at the same height, even if their numbers differ. */
function keyOf({ text, bottom }: Line): string {
  return `${Math.round(bottom / 4)} ${text.replaceAll(/\d+/g, "#")}`;
}

/** A number with at most one other line between it and the edge of the page. */
function isPageNumber(line: Line, lines: readonly Line[], page: Page): boolean {
  if (!PAGE_NUMBER.test(line.text) || !isAtMargin(line, page, NUMBER_SHARE)) return false;
  const others = lines.filter((other) => other !== line && other.turn === line.turn);
  const above = others.filter(({ bottom }) => bottom >= line.top).length;
  const below = others.filter(({ top }) => top <= line.bottom).length;
  return others.length > 0 && Math.min(above, below) <= 1;
}

/** Line numbers: consecutive numbers below each other, left of all other lines. */
function lineNumbers(lines: readonly Line[]): Set<Line> {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (!/^\d{1,4}$/.test(line.text)) runs.push([]);
    else if (last && Number(line.text) === Number(last.text) + 1 && line.top < last.top && Math.abs(line.right - last.right) < line.size)
      run?.push(line);
    else runs.push([line]);
  }
  const longest = runs.reduce((most, run) => (run.length > most.length ? run : most), []);
  const numbers = new Set(longest);
  const right = Math.max(...longest.map((line) => line.right));
  const alone = lines.every((line) => numbers.has(line) || line.left >= right);
  return longest.length >= MIN_LINE_NUMBERS && longest.length < lines.length && alone ? numbers : new Set();
}
