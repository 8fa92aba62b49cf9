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

/** Returns the rows of the document's table that a place quotes. */
export function quotedRows({ text, start, end }: Span & { readonly text: string }): QuotedRow[] {
  const lineStart = lineStartOf(text, start);
  if (lineStart === null || !TABLE_LINE.test(lineAt(text, lineStart))) return [];
  const head = cellsOf(headAbove(text, lineStart));
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

/** Returns the labels of all rows of the tables that a place quotes, without the head. */
export function rowLabels({ text, start }: Span & { readonly text: string }): string[] {
  const lineStart = lineStartOf(text, start);
  if (lineStart === null || !TABLE_LINE.test(lineAt(text, lineStart))) return [];
  const above = text
    .slice(Math.max(0, lineStart - MAX_TABLE), lineStart)
    .split("\n")
    .slice(0, -1);
  const below = text.slice(lineStart, lineStart + MAX_TABLE).split("\n");
  const first = above.findLastIndex((line) => !TABLE_LINE.test(line)) + 1;
  const end = below.findIndex((line) => !TABLE_LINE.test(line));
  return [...above.slice(first), ...below.slice(0, end < 0 ? undefined : end)].slice(1).map((line) => (cellsOf(line)[0] ?? "").trim());
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

/** Returns the quoted rows, whose numbers have the unit in the head of their column, or in a note such as "in millions" above the table. */
export function rowsWithUnits(place: Span & { readonly text: string }): QuotedRow[] {
  const rows = quotedRows(place);
  const note = rows.length === 0 ? null : findNote(noteAbove(place));
  return rows.map((row) => ({ ...row, cells: withUnits(row.cells, row.head, { ...row, head: row.labelHead, note }) }));
}

/** A place is compared with its sentence in several ways. */
const texts = new WeakMap<object, string>();

/** Returns the quoted text, with the units of numbers of tables, and the heads of columns that have figures, such as "FY2024". */
export function quoteText(place: Span & { readonly text: string }): string {
  const text = texts.get(place) ?? readQuote(place);
  texts.set(place, text);
  return text;
}

function readQuote(place: Span & { readonly text: string }): string {
  const quote = place.text.slice(place.start, place.end);
  if (!/\d/.test(quote)) return quote;
  const rows = rowsWithUnits(place);
  const heads = new Set(rows.flatMap(({ cells, head }) => head.filter((label) => /\d/.test(label) && !cells.includes(label))));
  if (rows.length > 0) return [...rows.map(({ cells }) => cells.join("|")), ...heads].join("\n");
  const note = findNote(noteAbove(place));
  if (note === null) return quote;
  const row = { label: "", at: -1, head: "", note };
  return quote
    .split("\n")
    .map((line) => (FIGURES_LINE.test(line) ? withUnits(line.split(/(?<=\s)|(?=[.。]?\s*$)/), [], row).join("") : line))
    .join("\n");
}

/** The paragraph that a quote stands in, or the one above its table. The heads of columns say nothing of other columns. */
function noteAbove({ text, start, end }: Span & { readonly text: string }): string {
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

/** The first row of the table that a line belongs to, which may be the line itself. */
function headAbove(text: string, lineStart: number): string {
  const above = text
    .slice(Math.max(0, lineStart - MAX_TABLE), lineStart)
    .split("\n")
    .slice(0, -1);
  const first = above.findLastIndex((line) => !TABLE_LINE.test(line)) + 1;
  return above[first] ?? lineAt(text, lineStart);
}

function cellsOf(row: string): string[] {
  return row.trim().replace(/^\|/, "").split("|", MAX_CELLS);
}

/** The numerals that got their unit from the head of a column. A sentence may repeat them without unit. */
export function bareNumerals(places: readonly QuotedPlace[]): ReadonlySet<string> {
  const added = places.filter((place) => quoteText(place) !== place.text.slice(place.start, place.end));
  return new Set(added.flatMap(({ text, start, end }) => readAmounts(text.slice(start, end), true).map(({ numeral }) => numeral)));
}
