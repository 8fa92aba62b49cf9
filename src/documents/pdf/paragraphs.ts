import type { Line } from "./lines.ts";
import { grouped, median, SOFT_HYPHEN } from "./read-page.ts";
import type { Region, Stack } from "./regions.ts";

export interface Paragraph {
  /** The number of the page that it begins on. */
  readonly page: number;
  readonly kind: "text" | "row";
  readonly lines: readonly string[];
  readonly size: number;
  readonly bold: boolean;
  /** The text runs in another direction than the page, such as a stamp or the label of an axis. */
  readonly aside: boolean;
  /** The last line reaches the end of the column, so the paragraph may continue in the next column. */
  readonly full: boolean;
}

export const LIST_MARK = /^(?:[•◦▪■●○‣–—*·-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|[（(][一二三四五六七八九十\d]{1,3}[）)])\s+\S/u;
const BULLET = /^[•◦▪■●○‣]\s*\S/u;
const SENTENCE_END = /[.!?。！？…][\]"'”’」』）)]*$/u;
const CLOSED_END = /[.!?。！？…:：;；|][\]"'”’」』）)]*$/u;
const GOES_ON = /^[\p{Ll},;)]/u;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}，、；]/u;
const MIN_INDENT = 0.8;
const SHORT_BY = 2;
const SINGLE_LEADING = 1.5;
const LEADING_TOLERANCE = 1.3;
const EVEN_LEADING = 1.05;
/** A multiple of the font size. A single line of this width is assumed to fill its column. */
const MIN_WIDE_LINE = 20;
const MIN_REST_LENGTH = 12;
/** Notes and figures may stand between the two parts of a paragraph. At most this many are skipped. */
const MAX_LOOK_BACK = 40;

interface RegionedPage {
  readonly number: number;
  readonly regions: readonly Region[];
  readonly turn: number | null;
}

export function toParagraphs(pages: Iterable<RegionedPage>): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const { number: page, regions, turn } of pages) {
    for (const region of regions) {
      if (region.kind === "row")
        paragraphs.push({ page, kind: "row", lines: region.cells, size: 0, bold: false, aside: false, full: false });
      else for (const [i, paragraph] of split(region.stack, turn).entries()) append(paragraphs, { ...paragraph, page }, i === 0);
    }
  }
  return paragraphs;
}

function append(paragraphs: Paragraph[], paragraph: Paragraph, atStart: boolean): void {
  const at = atStart ? openParagraph(paragraphs, paragraph) : -1;
  const open = paragraphs[at];
  if (open) paragraphs[at] = { ...paragraph, page: open.page, lines: [...open.lines, ...paragraph.lines] };
  else paragraphs.push(paragraph);
}

function openParagraph(paragraphs: readonly Paragraph[], next: Paragraph): number {
  const [first = ""] = next.lines;
  const oldest = Math.max(0, paragraphs.length - MAX_LOOK_BACK);
  for (let i = paragraphs.length - 1; i >= oldest; i--) {
    const before = paragraphs[i];
    if (!before || !isSetAlike(before, next)) continue;
    const end = before.lines.at(-1) ?? "";
    if (!before.full || CLOSED_END.test(end) || LIST_MARK.test(first)) return -1;
    if (end.endsWith(SOFT_HYPHEN) || GOES_ON.test(first)) return i;
    const adjacent = i === paragraphs.length - 1 && (first.length >= MIN_REST_LENGTH || SENTENCE_END.test(first));
    return adjacent && UNSPACED.test(end.at(-1) ?? "") && UNSPACED.test(first[0] ?? "") ? i : -1;
  }
  return -1;
}

function isSetAlike(a: Paragraph, b: Paragraph): boolean {
  return a.kind !== "row" && Math.abs(a.size - b.size) <= 0.3 && a.bold === b.bold && a.aside === b.aside;
}

function split(stack: Stack, mainTurn: number | null): Omit<Paragraph, "page">[] {
  const isRightToLeft = stack.lines.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > stack.lines.length / 2;
  const { lines, left, right } = isRightToLeft ? mirrored(stack) : stack;
  const column = { left, right, leading: usualLeading(lines), hanging: isHanging(lines, left) };
  const groups = grouped(lines, (last, line) => !begins(last, line, column));
  return groups.map((group) => toParagraph(group, right, lines.length, mainTurn));
}

function mirrored({ lines, left, right, bottom, top }: Stack): Stack {
  const flip = (line: Line): Line => ({ ...line, left: -line.right, right: -line.left });
  return { lines: lines.map(flip), left: -right, right: -left, bottom, top };
}

interface Column {
  readonly left: number;
  readonly right: number;
  readonly leading: number;
  readonly hanging: boolean;
}

function begins(last: Line, line: Line, column: Column): boolean {
  if (last.vertical) return false;
  const size = Math.max(last.size, line.size);
  const missing = column.right - last.right;
  const full = missing <= SHORT_BY * size;
  if (Math.min(last.size, line.size) < 0.88 * size || leadingOf(last, line) > LEADING_TOLERANCE * column.leading) return true;
  if (last.text.endsWith(SOFT_HYPHEN)) return false;
  // A paragraph may begin with bold words.
  const runsIn = last.bold && full && leadingOf(last, line) <= EVEN_LEADING * column.leading;
  if (last.bold !== line.bold && !runsIn) return true;
  if (BULLET.test(line.text) || (LIST_MARK.test(line.text) && (!full || /[.,;:!?。；：，]$/u.test(last.text)))) return true;
  if (last.bold && line.bold && !SENTENCE_END.test(last.text)) return false;
  if (full && !CLOSED_END.test(last.text)) return false;
  const indent = line.left - column.left > MIN_INDENT * size;
  const lastIndent = last.left - column.left > MIN_INDENT * size;
  if (column.hanging) return !indent;
  if (indent && !lastIndent && !LIST_MARK.test(last.text) && !isCentered(last, line, column)) return true;
  return !full && (SENTENCE_END.test(last.text) || missing > 0.5 * (column.right - column.left));
}

function isCentered(last: Line, line: Line, { left, right }: Column): boolean {
  const middle = (left + right) / 2;
  return [last, line].every((one) => Math.abs((one.left + one.right) / 2 - middle) < one.size / 2);
}

function toParagraph(group: readonly Line[], right: number, linesOfStack: number, mainTurn: number | null): Omit<Paragraph, "page"> {
  const longest = group.reduce((most, line) => (line.text.length > most.text.length ? line : most));
  const last = group.at(-1) ?? longest;
  const showsWidth = linesOfStack > 1 || last.right - last.left >= MIN_WIDE_LINE * last.size;
  return {
    kind: "text",
    lines: group.map(({ text }) => text),
    size: longest.size,
    bold: group.every(({ bold }) => bold),
    aside: last.turn !== mainTurn,
    full: !last.vertical && right - last.right <= SHORT_BY * last.size && showsWidth,
  };
}

function leadingOf(upper: Line, lower: Line): number {
  return (upper.top + upper.bottom - lower.top - lower.bottom) / 2;
}

/** Returns the median line distance in points. Two or three lines may be a title and text, so their distance is limited. */
function usualLeading(lines: readonly Line[]): number {
  const distances = lines.slice(1).map((line, i) => leadingOf(lines[i] ?? line, line));
  const usual = median(distances);
  const size = lines[0]?.size ?? 0;
  return distances.length < 3 ? Math.min(usual, SINGLE_LEADING * size) : usual;
}

function isHanging(lines: readonly Line[], left: number): boolean {
  const indented = lines.filter((line) => line.left - left > MIN_INDENT * line.size);
  const same = indented.filter((line) => Math.abs(line.left - (indented[0]?.left ?? 0)) < line.size / 2);
  return lines.length >= 4 && same.length > lines.length / 2 && same.length < lines.length;
}
