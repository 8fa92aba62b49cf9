import type { Box } from "./pdfium.ts";
import { gapBetween, grouped, type Page, type Segment, SOFT_HYPHEN, union } from "./read-page.ts";

export type Line = Readonly<ReturnType<typeof toLine>>;

/** A multiple of the font size. A gap of this width separates columns or cells. */
const MIN_WIDE_GAP = 1.6;
const MIN_SPACE = 0.15;

export function toLines(segments: readonly Segment[]): Line[] {
  const rows = grouped(segments, overlapInHeight);
  return rows.flatMap((row) => grouped(row, (last, next) => gapBetween(last, next) < MIN_WIDE_GAP * wider(last, next)).map(toLine));
}

function toLine(segments: readonly Segment[]) {
  const longest = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  const texts = segments.map((segment, i) => {
    const next = segments[i + 1];
    if (next === undefined) return segment.text;
    return segment.text.replace(SOFT_HYPHEN, "") + (gapBetween(segment, next) > MIN_SPACE * wider(segment, next) ? " " : "");
  });
  const { size, turn, vertical } = longest;
  const { left, right } = segments.reduce<Box>(union, longest);
  const bold = segments.every((segment) => segment.bold);
  return { left, right, bottom: longest.bottom, top: longest.top, segments, text: texts.join(""), size, bold, turn, vertical };
}

/** Whether two boxes overlap by half of the smaller height, as a word and its superscript do. */
export function overlapInHeight(a: Segment | Line, b: Segment | Line): boolean {
  if (a.turn !== b.turn || a.vertical || b.vertical) return false;
  const overlap = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return overlap >= 0.5 * Math.min(a.top - a.bottom, b.top - b.bottom);
}

/** Stricter than `overlapInHeight`, because tight lines of text may overlap. */
export function haveSameMiddle(a: Line, b: Line): boolean {
  const middles = Math.abs((a.top + a.bottom) / 2 - (b.top + b.bottom) / 2);
  return a.turn === b.turn && middles < 0.3 * Math.min(a.top - a.bottom, b.top - b.bottom);
}

function wider(a: Segment, b: Segment): number {
  return Math.max(a.size, b.size);
}

export interface LinedPage<P extends Page = Page> {
  readonly page: P;
  readonly lines: readonly Line[];
}

const MAX_MARGIN_SHARE = 0.12;
const MIN_REPEATS = 3;
const FEW_PAGES = 4;
const NUMBER_SHARE = 0.2;
/** A page with more numbers at its edges has a table there, not page numbers. */
const MAX_NUMBERS = 300;
const PAGE_NUMBER =
  /^(?:[-–—•.\s]*(?:page|p\.|第|頁|页)?\s*(?:\d{1,4}|[ivxl]{1,6})\s*(?:页|頁|of \d{1,4}|\/\s*\d{1,4}|共\s*\d{1,4}\s*[页頁])?[-–—•.\s]*)$/i;
const MIN_LINE_NUMBERS = 5;

export function removeHeadersAndFooters<P extends Page>(pages: readonly LinedPage<P>[]): LinedPage<P>[] {
  const repeats = new Map<string, number>();
  for (const { page, lines } of pages) {
    const keys = new Set(lines.filter((line) => isAtMargin(line, page)).map((line) => keyOf(line)));
    for (const key of keys) repeats.set(key, (repeats.get(key) ?? 0) + 1);
  }
  const enough = pages.length <= FEW_PAGES ? 2 : MIN_REPEATS;
  return pages.map(({ page, lines }) => {
    const numbers = lineNumbers(lines);
    const repeated = new Set(lines.filter((line) => isAtMargin(line, page) && (repeats.get(keyOf(line)) ?? 0) >= enough));
    const others = lines.filter((line) => !repeated.has(line));
    const pageNumbers = pageNumbersOf(lines, page);
    // A repeated line next to other text is a cell of a table.
    const isAlone = (line: Line): boolean => !others.some((other) => other !== line && haveSameMiddle(line, other));
    const isRemoved = (line: Line): boolean => numbers.has(line) || ((repeated.has(line) || pageNumbers.has(line)) && isAlone(line));
    return { page, lines: lines.filter((line) => !isRemoved(line)) };
  });
}

function isAtMargin({ top, bottom, turn, vertical }: Line, { edges, turn: main }: Page, share = MAX_MARGIN_SHARE): boolean {
  if (vertical || turn !== main) return false;
  const height = (edges.top - edges.bottom) * share;
  return bottom >= edges.top - height || top <= edges.bottom + height;
}

function keyOf({ text, bottom }: Line): string {
  return `${Math.round(bottom / 4)} ${text.replaceAll(/\d+/g, "#")}`;
}

function pageNumbersOf(lines: readonly Line[], page: Page): Set<Line> {
  const numbers = lines.filter((line) => PAGE_NUMBER.test(line.text) && isAtMargin(line, page, NUMBER_SHARE));
  return new Set(numbers.length > MAX_NUMBERS ? [] : numbers.filter((line) => isNearEdge(line, lines)));
}

function isNearEdge(line: Line, lines: readonly Line[]): boolean {
  const others = lines.filter((other) => other !== line && other.turn === line.turn);
  const above = others.filter((other) => !haveSameMiddle(other, line) && other.top > line.top).length;
  const below = others.filter((other) => !haveSameMiddle(other, line) && other.top < line.top).length;
  return others.length > 0 && Math.min(above, below) <= 1;
}

function lineNumbers(lines: readonly Line[]): Set<Line> {
  const isNumber = ({ text }: Line): boolean => /^\d{1,4}$/.test(text);
  const isNext = (last: Line, line: Line): boolean =>
    Number(line.text) === Number(last.text) + 1 && line.top < last.top && Math.abs(line.right - last.right) < line.size;
  const runs = grouped(lines, (last, line) => isNumber(last) && isNext(last, line)).filter((run) => run.every(isNumber));
  const longest = runs.reduce((most, run) => (run.length > most.length ? run : most), []);
  const numbers = new Set(longest);
  const right = Math.max(...longest.map((line) => line.right));
  const alone = lines.every((line) => numbers.has(line) || line.left >= right);
  return longest.length >= MIN_LINE_NUMBERS && longest.length < lines.length && alone ? numbers : new Set();
}
