import type { Span } from "../../ranking/sentences.ts";
import { readAmounts } from "../figures/amounts.ts";
import { findNote, withUnits } from "./column-units.ts";

/** A quoted place of a document's text. `written` is the part that the writer quoted, before it was extended. */
export interface QuotedPlace extends Span {
  readonly text: string;
  readonly contentHash: string;
  readonly title?: string | undefined;
  readonly written?: Span;
}

/** In UTF-16 code units. */
const MAX_TABLE = 20_000;
const MAX_ROW = 1_000;
const MAX_CELLS = 100;

/** A line outside of a table that has only numbers behind its words, as texts of PDF files have them: "Revenue 27,200 26,280". */
const FIGURES_LINE = /^[^\d\n]{1,200}(?:\s[$€£¥]?[(-]?\d[\d.,]{0,20}\)?){1,20}\.?\s*$/;

/** A line of a table: texts of documents have the cells joined by ` | `, and Markdown may begin a line with `|`. */
const TABLE_LINE = /^\s{0,3}\||\s\|\s/;

/** A row of a table of the document. `head` has the head of each cell. `at` is the index of the label, negative if it stands before the cells. */
export interface QuotedRow {
  readonly label: string;
  readonly at: number;
  readonly labelHead: string;
  readonly cells: readonly string[];
  readonly head: readonly string[];
}

type Place = Span & { readonly text: string };

/** The lines of the table that a place begins in, from its head on; null outside of tables. */
function tableAt({ text, start }: Place): { readonly lineStart: number; readonly lines: readonly string[] } | null {
  const lineStart = lineStartOf(text, start);
  if (lineStart === null || !TABLE_LINE.test(lineAt(text, lineStart))) return null;
  const above = text
    .slice(Math.max(0, lineStart - MAX_TABLE), lineStart)
    .split("\n")
    .slice(0, -1);
  const below = text.slice(lineStart, lineStart + MAX_TABLE).split("\n");
  const first = above.findLastIndex((line) => !TABLE_LINE.test(line)) + 1;
  const end = below.findIndex((line) => !TABLE_LINE.test(line));
  return { lineStart, lines: [...above.slice(first), ...below.slice(0, end < 0 ? undefined : end)] };
}

function rowsIn({ text, start, end }: Place, lineStart: number, head: readonly string[]): QuotedRow[] {
  const before = text.slice(lineStart, start);
  return text
    .slice(start, end)
    .split("\n")
    .map((row, i) => {
      const skipped = i === 0 ? before : "";
      const line = skipped + row;
      const first = skipped.split("|").length - 1 - (/^\s{0,3}\|/.test(line) ? 1 : 0);
      const cells = row.split("|", MAX_CELLS);
      return {
        label: cellsOf(line)[0] ?? "",
        at: -first,
        labelHead: head[0] ?? "",
        cells,
        head: cells.map((_, column) => head[first + column] ?? ""),
      };
    });
}

/** Null if the line begins further before than a row of a table may. */
function lineStartOf(text: string, at: number): number | null {
  const from = Math.max(0, at - MAX_ROW - 1);
  const newline = text.slice(from, at).lastIndexOf("\n");
  if (newline < 0) return from === 0 ? 0 : null;
  return from + newline + 1;
}

function lineAt(text: string, lineStart: number): string {
  return text.slice(lineStart, lineStart + MAX_ROW).split("\n", 1)[0] ?? "";
}

/** What a place quotes. Numbers of tables have the unit in the head of their column, or in a note such as "in millions" above the table. */
export interface ReadPlace {
  /** The quoted text, with the heads of columns that have figures, such as "FY2024". */
  readonly text: string;
  /** The quoted rows; none outside of tables. */
  readonly rows: readonly QuotedRow[];
  /** The labels of all rows of the table, without the head. */
  readonly labels: readonly string[];
}

/** A place is compared with its sentence in several ways. */
const known = new WeakMap<object, ReadPlace>();

export function readPlace(place: Place): ReadPlace {
  const read = known.get(place) ?? readTable(place) ?? { text: proseOf(place), rows: [], labels: [] };
  known.set(place, read);
  return read;
}

export function quoteText(place: Place): string {
  return readPlace(place).text;
}

function readTable(place: Place): ReadPlace | null {
  const table = tableAt(place);
  if (table === null) return null;
  const [head = "", ...others] = table.lines;
  const note = findNote(noteAbove(place));
  const rows = rowsIn(place, table.lineStart, cellsOf(head)).map((row) => ({
    ...row,
    cells: withUnits(row.cells, row.head, { ...row, head: row.labelHead, note }),
  }));
  const heads = new Set(rows.flatMap(({ cells, head: own }) => own.filter((label) => /\d/.test(label) && !cells.includes(label))));
  const text = [...rows.map(({ cells }) => cells.join("|")), ...heads].join("\n");
  return { text, rows, labels: others.map((line) => (cellsOf(line)[0] ?? "").trim()) };
}

function proseOf(place: Place): string {
  const quote = place.text.slice(place.start, place.end);
  const note = /\d/.test(quote) ? findNote(noteAbove(place)) : null;
  if (note === null) return quote;
  const row = { label: "", at: -1, head: "", note };
  return quote
    .split("\n")
    .map((line) => (FIGURES_LINE.test(line) ? withUnits(line.split(/(?<=\s)|(?=[.。]?\s*$)/), [], row).join("") : line))
    .join("\n");
}

/** The paragraph that a quote stands in, or the one above its table. The heads of columns say nothing of other columns. */
function noteAbove({ text, start, end }: Place): string {
  const lines = text.slice(Math.max(0, start - MAX_TABLE), start).split("\n");
  const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === "";
  let from = lines.length - 1;
  while (from > 0 && !isBlank(lines[from - 1])) from -= 1;
  if (TABLE_LINE.test(from === lines.length - 1 ? lineAt(text, lineStartOf(text, start) ?? start) : (lines[from] ?? ""))) {
    while (from > 0 && isBlank(lines[from - 1])) from -= 1;
    while (from > 0 && !isBlank(lines[from - 1])) from -= 1;
  }
  const own = text.slice(start, end).split("\n");
  return [...lines.slice(from), ...own].filter((line) => !TABLE_LINE.test(line)).join("\n");
}

/** In UTF-16 code units. Names may stand this far from a quote in its document. */
const NEAR = 100_000;

export function nearbyText({ text, start, end }: QuotedPlace): string {
  return text.slice(Math.max(0, start - NEAR), end + NEAR);
}

function cellsOf(row: string): string[] {
  return row.trim().replace(/^\|/, "").split("|", MAX_CELLS);
}

/** The numerals that got their unit from the head of a column. A sentence may repeat them without unit. */
export function bareNumerals(places: readonly QuotedPlace[]): ReadonlySet<string> {
  const added = places.filter((place) => quoteText(place) !== place.text.slice(place.start, place.end));
  return new Set(added.flatMap(({ text, start, end }) => readAmounts(text.slice(start, end), true).map(({ numeral }) => numeral)));
}
