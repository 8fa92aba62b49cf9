import type { Box } from "./pdfium.ts";
import { gapBetween, grouped, median, type Page, type Segment, SOFT_HYPHEN, union, WORD_GAP_RATIO } from "./read-page.ts";

export type Line = Readonly<ReturnType<typeof toLine>>;

/** A multiple of the font size. A gap of this width separates columns or cells. */
const MIN_WIDE_GAP = 1.6;
const MIN_SPACE = 0.15;
/** Two columns are assumed if this many lines have a gap at the same place between two long segments. */
const MIN_GUTTER_LINES = 5;
const LONG_SEGMENT = 12;

export function toLines(segments: readonly Segment[]): Line[] {
  const gutters = findGutters(segments);
  const rows = grouped(segments, overlapInHeight);
  return rows.flatMap((row, i) => {
    const neighbors = [-2, -1, 1, 2].map((step) => rows[i + step] ?? []);
    const whole = joinLetters(row, neighbors);
    return grouped(whole, (last, next) => gapOf(last, next) < MIN_WIDE_GAP * wider(last, next) && !gutters.has(edgeOf(next))).map(toLine);
  });
}

const LETTERS = /^[\p{L}\p{N}](?: [\p{L}\p{N}])*$/u;
const MIN_LETTERS = 4;
/** A multiple of the font size. The letters of a word are at most this far apart. */
const MAX_LETTER_GAP = 4;
const CELL_SHARE = 0.75;

/** Joins single letters to words, as in a form with a box for each letter. Letters in table cells stay separate. */
function joinLetters(row: readonly Segment[], neighbors: readonly (readonly Segment[])[]): Segment[] {
  return grouped(row, (last, next) => LETTERS.test(last.text) && LETTERS.test(next.text)).flatMap((run) => {
    const [first] = run;
    const gaps = run.map((next, i) => gapBetween(run[i - 1] ?? next, next)).slice(1);
    const usual = median([...run.flatMap(({ text, letterGap }) => Array<number>(text.length >> 1).fill(letterGap)), ...gaps]);
    const letters = run.reduce((sum, { text }) => sum + text.replaceAll(/\P{L}/gu, "").length, 0);
    if (!first || run.length < 2 || letters < MIN_LETTERS) return run;
    const even = usual <= MAX_LETTER_GAP * first.size && gaps.every((gap) => gap >= usual / 2);
    const apart = gaps.some((gap) => gap >= MIN_WIDE_GAP * first.size);
    if (apart && (!even || neighbors.some((neighbor) => isAligned(run, neighbor)))) return run;
    // In a form with a box for each letter, an empty box separates words.
    const widest = WORD_GAP_RATIO * (2 * usual + first.size / 2);
    return grouped(run, (last, next) => gapBetween(last, next) <= widest).map((part) => {
      const text = part.map((next, i) => {
        const last = part[i - 1];
        return (last && gapBetween(last, next) > WORD_GAP_RATIO * usual ? " " : "") + next.text.replaceAll(" ", "");
      });
      return { ...first, ...part.reduce<Box>(union, part[0] ?? first), text: text.join("") };
    });
  });
}

function isAligned(letters: readonly Segment[], cells: readonly Segment[]): boolean {
  const fromLeft = letters.toSorted((a, b) => a.left - b.left);
  const paired = new Set<Segment>();
  let begun = 0;
  // `last` is the letter with the rightmost end so far. `secondEnd` is the second rightmost end.
  let last: Segment | undefined;
  let secondEnd = Number.NEGATIVE_INFINITY;
  for (const cell of cells.toSorted((a, b) => a.right - b.right)) {
    for (let letter = fromLeft[begun]; letter !== undefined && letter.left < cell.right; letter = fromLeft[++begun]) {
      secondEnd = Math.max(secondEnd, Math.min(letter.right, last?.right ?? Number.NEGATIVE_INFINITY));
      if (last === undefined || letter.right > last.right) last = letter;
    }
    if (last !== undefined && last.right > cell.left && secondEnd <= cell.left) paired.add(last);
  }
  return paired.size >= CELL_SHARE * letters.length;
}

function toLine(segments: readonly Segment[]) {
  const longest = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  const texts = segments.map((segment, i) => {
    const next = segments[i + 1];
    if (next === undefined) return segment.text;
    return segment.text.replace(SOFT_HYPHEN, "") + (gapOf(segment, next) > MIN_SPACE * wider(segment, next) ? " " : "");
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

function gapOf(last: Segment, next: Segment): number {
  return gapBetween(last, next) - Math.min(last.tracking, next.tracking);
}

function wider(a: Segment, b: Segment): number {
  return Math.max(a.size, b.size);
}

function edgeOf({ left }: Box): number {
  return Math.round(left / 2);
}

function findGutters(segments: readonly Segment[]): Set<number> {
  const counts = new Map<number, number>();
  for (const [i, right] of segments.entries()) {
    const left = segments[i - 1];
    if (!left || !overlapInHeight(left, right) || right.left <= left.right || !isLong(left) || !isLong(right)) continue;
    counts.set(edgeOf(right), (counts.get(edgeOf(right)) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_GUTTER_LINES).map(([edge]) => edge));
}

function isLong({ left, right, size }: Segment): boolean {
  return right - left >= LONG_SEGMENT * size;
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
