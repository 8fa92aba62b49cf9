import type { Place } from "../domain/document.ts";
import type { BlockDraft } from "./block-text.ts";

/** In UTF-16 code units. */
const MAX_CELL_LENGTH = 10_000;
const MAX_HEADER_LENGTH = 200;
const MAX_COLUMNS = 500;
/** The header of a table is looked for in this many rows, and has at most this many. */
const MAX_PREAMBLE = 100;
const MAX_HEAD_ROWS = 3;
const BEGINS_WITH_DIGIT = /^[^\p{L}\d]{0,3}\d/u;
const NUMBER = /^[^\p{L}\d]{0,3}\d[\d.,' ]*[^\p{L}\d]{0,3}$/u;
const YEAR = /^(?:19|20)\d\d$/;

/** The cells of a row, each as one line of text; `""` if a cell is empty. */
export interface GridRow {
  readonly cells: readonly string[];
  /** The same, with the text of a cell that covers several columns in each of them; absent if there is no such cell. */
  readonly spread?: readonly string[];
  readonly place?: Place;
}

type Run = readonly GridRow[];

interface Head {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

/**
 * Turns the rows of a sheet into text. Each row of a table names the header of each cell, as in `Year: 2023 | Revenue: 27.2`, and is a table of
 * its own, so that a quote of it needs no other. The header is the first row as wide as most, unless it has a number above a number; what
 * stands above it, and notes below the table, stay as they are. After an empty row another table may begin.
 * @param room in UTF-16 code units; rows that have no room are left out
 */
export function describeRows(rows: readonly GridRow[], room: number): { readonly drafts: BlockDraft[]; readonly gaps: string[] } {
  const drafts: BlockDraft[] = [];
  const runs = runsOf(rows);
  const width = runs.reduce((most, run) => Math.max(most, usualWidth(run)), 0);
  let names: readonly string[] = [];
  let [left, read, heads] = [room, 0, 0];
  const add = (kind: BlockDraft["kind"], text: string, { place }: GridRow): void => {
    left -= text.length;
    if (left >= 0) drafts.push({ kind, level: kind === "paragraph" ? 0 : 1, text, ...(place && { place }) });
  };
  for (const run of runs) {
    const head = headOf(run, width, names);
    names = head?.names ?? names;
    heads += head === null ? 0 : head.to - head.from;
    const lastRow = run.findLastIndex((row) => countOf(row) > 1);
    for (const [i, row] of run.entries()) {
      if (left < 0) break;
      const isAbove = i < (head?.from ?? 0);
      const isNote = i > lastRow && !row.cells.some((cell) => BEGINS_WITH_DIGIT.test(cell));
      if (head !== null && i >= head.from && i < head.to) {
        if (i === run.length - 1) add("table-row", head.names.join(" | "), row);
        continue;
      }
      const isLine = isAbove || isNote || names.length === 0;
      // A sheet of one column is a list.
      add(!isLine ? "table-row" : width > 0 ? "paragraph" : "list-item", isLine ? lineOf(row) : rowText(names, row), row);
      if (left >= 0) read += 1;
    }
  }
  const total = runs.reduce((sum, run) => sum + run.length, 0) - heads;
  const isCut = rows.some(({ cells }) => cells.length > MAX_COLUMNS || cells.some(({ length }) => length > MAX_CELL_LENGTH));
  return {
    drafts,
    gaps: [
      ...(left < 0 ? [`only the first ${read} of ${total} rows were read`] : []),
      ...(isCut ? [`cells after the first ${MAX_COLUMNS} of a row, or after ${MAX_CELL_LENGTH} characters, were cut`] : []),
    ],
  };
}

/** Returns the rows between empty rows. */
function runsOf(rows: readonly GridRow[]): Run[] {
  const runs: GridRow[][] = [[]];
  for (const row of rows) {
    if (countOf(row) > 0) runs.at(-1)?.push(row);
    else if (runs.at(-1)?.length) runs.push([]);
  }
  return runs.filter(({ length }) => length > 0);
}

function headOf(run: Run, usual: number, known: readonly string[]): Head | null {
  const width = usualWidth(run);
  // Pairs above a wider table are lines such as `Station: Aldermoor`.
  if (width === 0 || (width === 2 && usual > 2 && known.length === 0)) return null;
  const first = run.slice(0, MAX_PREAMBLE).findIndex((row) => countOf(row) > 1 && widthOf(row) >= width);
  if (first < 0) return null;
  const before = run[first - 1];
  // The last columns of a table may have no header.
  const from = before !== undefined && hasDigits(run[first]) && countOf(before) > 1 && !hasDigits(before) ? first - 1 : first;
  const goesOn = known.length === width && (hasDigits(run[from]) || !run.slice(from + 1).some(hasDigits));
  if ((known.length > 0 && goesOn) || isData(run[from], run[from + 1])) return null;
  let to = from + 1;
  while (run[to - 1]?.spread !== undefined && to < Math.min(run.length, from + MAX_HEAD_ROWS)) to += 1;
  return { from, to, names: namesOf(run.slice(from, to)) };
}

/** Whether a row has a number, other than a year, above a number: then it is no header. */
function isData(row: GridRow | undefined, below: GridRow | undefined): boolean {
  const isNumber = (cell = ""): boolean => NUMBER.test(cell) && !YEAR.test(cell);
  return row?.cells.some((cell, column) => isNumber(cell) && isNumber(below?.cells[column])) === true;
}

/** A header in several rows, as of quarters below years, is one. */
function namesOf(head: Run): string[] {
  const cells = head.map(({ cells: own, spread }) => spread ?? own);
  const width = Math.min(MAX_COLUMNS, Math.max(...head.map(widthOf)));
  return Array.from({ length: width }, (_, column) => {
    const parts = new Set(cells.map((row) => row[column] ?? "").filter((part) => part !== ""));
    return cut([...parts].join(" "), MAX_HEADER_LENGTH) || `Column ${column + 1}`;
  });
}

/** Returns the width of most rows of several cells, of equally many the first; 0 if there are none. */
function usualWidth(rows: Run): number {
  const widths = Map.groupBy(
    rows.filter((row) => countOf(row) > 1),
    widthOf,
  );
  return [...widths].reduce<readonly [number, number]>(
    (most, [width, { length }]) => (length > most[1] ? [width, length] : most),
    [0, 0],
  )[0];
}

function widthOf({ cells, spread = cells }: GridRow): number {
  return spread.findLastIndex((cell) => cell !== "") + 1;
}

function countOf({ cells }: GridRow): number {
  return cells.filter((cell) => cell !== "").length;
}

function hasDigits(row: GridRow | undefined): boolean {
  return row?.cells.some((cell) => BEGINS_WITH_DIGIT.test(cell)) === true;
}

function lineOf({ cells }: GridRow): string {
  const filled = cells.slice(0, MAX_COLUMNS).flatMap((cell) => (cell === "" ? [] : [cut(cell, MAX_CELL_LENGTH)]));
  return filled.join(filled.length === 2 ? ": " : " | ");
}

/** Empty cells are left out. */
function rowText(names: readonly string[], { cells }: GridRow): string {
  const named = cells
    .slice(0, MAX_COLUMNS)
    .map((cell, i) => (cell === "" ? "" : `${names[i] ?? `Column ${i + 1}`}: ${cut(cell, MAX_CELL_LENGTH)}`));
  return named.filter((cell) => cell !== "").join(" | ");
}

function cut(cell: string, length: number): string {
  return cell.length > length ? `${cell.slice(0, length).toWellFormed()}…` : cell;
}
