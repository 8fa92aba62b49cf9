import type { Box } from "./pdfium.ts";
import { gapBetween, type Page, type Segment, SOFT_HYPHEN, union } from "./read-page.ts";

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
    if (last && sameLine(last, segment) && gapOf(last, segment) < WIDE_GAP * wider(last, segment) && !gutters.has(edgeOf(segment))) {
      groups.at(-1)?.push(segment);
    } else groups.push([segment]);
  }
  return groups.map((group) => toLine(joinLetters(group)));
}

/** `B`, `R`, `A`, `N`, `C`, `H`: boxes of a form with a letter each. */
const LETTERS = /^\p{L}(?: \p{L})*$/u;
const MIN_LETTERS = 4;

/** Joins letters that stand one by one, closer than the cells of a table. */
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

function toLine(segments: readonly Segment[]): Line {
  const longest = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  let text = "";
  let last: Segment | undefined;
  for (const segment of segments) {
    if (last !== undefined && gapOf(last, segment) > SPACE * wider(last, segment)) text += " ";
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

/** As `gapBetween`, without what the author put between all characters. */
function gapOf(last: Segment, next: Segment): number {
  return gapBetween(last, next) - Math.min(last.tracking, next.tracking);
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

/** A page as lines, in the order they were written. */
export interface LinedPage {
  readonly page: Page;
  readonly lines: readonly Line[];
}

/** The share of a page's height, at its top and at its foot, in which headers and footers stand. */
const MARGIN_SHARE = 0.12;
/** Text that stands at the same place of so many pages belongs to the pages, not to the text. */
const MIN_REPEATS = 3;
const FEW_PAGES = 4;
/** Page numbers are looked for further in: some pages have wide margins. */
const NUMBER_SHARE = 0.2;
const PAGE_NUMBER =
  /^(?:[-–—•.\s]*(?:page|p\.|第|頁|页)?\s*(?:\d{1,4}|[ivxl]{1,6})\s*(?:页|頁|of \d{1,4}|\/\s*\d{1,4}|共\s*\d{1,4}\s*[页頁])?[-–—•.\s]*)$/i;
const MIN_LINE_NUMBERS = 5;

/** The lines without headers, footers and page numbers, and without the numbers of lines at the margin. */
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

function isAtMargin({ top, bottom, turn, vertical }: Line, { edges, turn: main }: Page, share = MARGIN_SHARE): boolean {
  if (vertical || turn !== main) return false;
  const height = (edges.top - edges.bottom) * share;
  return bottom >= edges.top - height || top <= edges.bottom + height;
}

/** Equal for lines with the same words at the same height, whatever their numbers. */
function keyOf({ text, bottom }: Line): string {
  return `${Math.round(bottom / 4)} ${text.replaceAll(/\d+/g, "#")}`;
}

/** A number with nothing beyond it, towards the edge of the page, but perhaps one line of a header or footer. */
function isPageNumber(line: Line, lines: readonly Line[], page: Page): boolean {
  if (!PAGE_NUMBER.test(line.text) || !isAtMargin(line, page, NUMBER_SHARE)) return false;
  const others = lines.filter((other) => other !== line && other.turn === line.turn);
  const above = others.filter(({ bottom }) => bottom >= line.top).length;
  const below = others.filter(({ top }) => top <= line.bottom).length;
  return others.length > 0 && Math.min(above, below) <= 1;
}

/** Counting numbers, written in one go, one below the other, to the left of everything else. */
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
