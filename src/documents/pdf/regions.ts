import { haveSameMiddle, type Line, overlapInHeight } from "./lines.ts";
import type { Box } from "./pdfium.ts";
import { union } from "./read-page.ts";

export interface Stack extends Box {
  readonly lines: readonly Line[];
}

export type Region = { readonly kind: "text"; readonly stack: Stack } | { readonly kind: "row"; readonly cells: readonly string[] };

const MAX_LEADING_GAP = 1.2;
const MAX_CELL_LINES = 8;
const MAX_CELL_LENGTH = 300;
const MAX_COMPARED_CELLS = 50;

/** Returns lines in the order of the file. */
export function toRegions(lines: readonly Line[]): Region[] {
  return intoRows(toStacks(lines));
}

interface GrowingStack {
  readonly lines: Line[];
  box: Box;
  readonly cellBefore: Box | null;
}

function toStacks(lines: readonly Line[]): Stack[] {
  const stacks: GrowingStack[] = [];
  for (const line of lines) {
    const open = stacks.at(-1);
    const last = open?.lines.at(-1);
    if (open && last && follows(last, line, open.box) && !returns(open, line)) {
      open.lines.push(line);
      open.box = union(open.box, line);
    } else {
      if (open && last && open.lines.length > 1 && isCaptionOf(open.lines, line))
        stacks.splice(-1, 1, beginStack(open.lines.slice(0, -1)), beginStack([last]));
      stacks.push(beginStack([line], stacks.at(-1)));
    }
  }
  return stacks.map(({ lines: stacked, box }) => ({ ...box, lines: stacked }));
}

function beginStack(lines: Line[], before?: GrowingStack): GrowingStack {
  const [first] = lines;
  const isBesideCell = first !== undefined && before?.lines.some((other) => overlapInHeight(other, first)) === true;
  return { lines, box: boxOf(lines), cellBefore: isBesideCell ? before.box : null };
}

function boxOf(lines: readonly Line[]): Box {
  return lines.reduce<Box>(union, lines[0] ?? { left: 0, right: 0, bottom: 0, top: 0 });
}

/** A line below both this cell and the previous one is text under the table. */
function returns({ lines: [first], cellBefore }: GrowingStack, line: Line): boolean {
  if (!first || !cellBefore) return false;
  return first.left >= cellBefore.right - 1 ? line.left < cellBefore.right - 1 : line.right > cellBefore.left + 1;
}

function isCaptionOf(open: readonly Line[], next: Line): boolean {
  const last = open.at(-1);
  const { left, right } = boxOf(open.slice(0, -1));
  return last !== undefined && overlapInHeight(last, next) && last.right < next.left && left < next.left && right > next.left;
}

function follows(last: Line, next: Line, box: Box): boolean {
  if (last.turn !== next.turn || last.vertical !== next.vertical) return false;
  const size = Math.max(last.size, next.size);
  if (next.vertical) return next.right <= last.left + 1 && last.left - next.right <= MAX_LEADING_GAP * size;
  const overlaps = Math.min(box.right, next.right) > Math.max(box.left, next.left);
  return overlaps && next.top < last.top && !haveSameMiddle(last, next) && last.bottom - next.top <= MAX_LEADING_GAP * size;
}

function intoRows(stacks: readonly Stack[]): Region[] {
  const rows: Stack[][] = [];
  for (const stack of stacks) {
    const row = rows.at(-1);
    if (row && isCell(stack) && row.slice(-MAX_COMPARED_CELLS).every((cell) => isCell(cell) && isBeside(cell, stack))) row.push(stack);
    else rows.push([stack]);
  }
  const regions: Region[] = [];
  for (let i = 0; i < rows.length; ) {
    const run = isFilledLine(rows[i]) ? [] : runOfRows(rows, i);
    if (run.length > 1) regions.push(...run.map((row): Region => ({ kind: "row", cells: row.flatMap(cellsOf) })));
    else regions.push(...oneLine(rows[i] ?? []).map(textOf));
    i += Math.max(1, run.length);
  }
  return regions;
}

function runOfRows(rows: readonly Stack[][], start: number): Stack[][] {
  let end = start;
  while ((rows[end]?.length ?? 0) > 1 && !isFilledLine(rows[end])) end++;
  return rows.slice(start, end);
}

/** A label and what somebody filled in beside it are no row of a table. */
function isFilledLine(row: readonly Stack[] = []): boolean {
  return row.length === 2 && row.filter(hasFilled).length === 1;
}

function hasFilled({ lines }: Stack): boolean {
  return lines.some(({ segments }) => segments.some(({ isFilled }) => isFilled));
}

function isCell({ lines }: Stack): boolean {
  return lines.length <= MAX_CELL_LINES && lines.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CELL_LENGTH;
}

function isBeside(cell: Stack, next: Stack): boolean {
  const [a] = cell.lines;
  const [b] = next.lines;
  if (!a || !b || a.turn !== b.turn || a.vertical || b.vertical) return false;
  const overlap = Math.min(cell.top, next.top) - Math.max(cell.bottom, next.bottom);
  const apart = next.left >= cell.right - 1 || next.right <= cell.left + 1;
  return apart && (overlap >= 0.4 * Math.min(cell.top - cell.bottom, next.top - next.bottom) || overlapInHeight(a, b));
}

function cellsOf({ lines }: Stack): string[] {
  const [only] = lines;
  return lines.length === 1 && only ? only.segments.map(({ text }) => text) : [lines.map(({ text }) => text).join("\n")];
}

function textOf(stack: Stack): Region {
  return { kind: "text", stack };
}

/** Joins single lines that stand side by side, such as an equation and its number. */
function oneLine(row: readonly Stack[]): readonly Stack[] {
  const lines = row.flatMap((stack) => stack.lines);
  const [first] = lines;
  if (row.length < 2 || lines.length !== row.length || !first) return row;
  const box = boxOf(lines);
  const text = lines.map((line) => line.text).join(" ");
  const segments = lines.flatMap((line) => line.segments);
  return [{ ...box, lines: [{ ...first, ...box, text, segments, bold: lines.every(({ bold }) => bold) }] }];
}
