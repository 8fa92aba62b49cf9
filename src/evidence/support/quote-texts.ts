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

/** A row of a table of the document. `head` has the head of each cell. `at` is the index of the label, negative if it stands before the cells. */
export interface QuotedRow {
  readonly label: string;
  readonly at: number;
  readonly labelHead: string;
  readonly cells: readonly string[];
  readonly head: readonly string[];
}

/** Returns the rows of the document's table that a place quotes. A row that is quoted from its beginning has an empty first cell. */
export function quotedRows({ text, start, end }: Span & { readonly text: string }): QuotedRow[] {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  if (start - lineStart > MAX_ROW || !/^\s{0,3}\|/.test(text.slice(lineStart, lineStart + 4))) return [];
  const head = ["", ...cellsOf(headAbove(text, lineStart))];
  const skipped = text.slice(lineStart, start).split("|");
  const rows = text.slice(start, end).split("\n");
  return rows.map((row, i) => {
    const before = i === 0 ? skipped.length - 1 : 0;
    const cells = row.split("|");
    return {
      label: before > 1 ? (skipped[1] ?? "") : (cells[1 - before] ?? ""),
      at: 1 - before,
      labelHead: head[1] ?? "",
      cells,
      head: head.slice(before),
    };
  });
}

/** Returns the quoted text. Numbers of tables get the unit in the head of their column, or in a note such as "in millions" above the table. */
export function quoteText(place: Span & { readonly text: string }): string {
  const quote = place.text.slice(place.start, place.end);
  if (!/\d/.test(quote)) return quote;
  const rows = quotedRows(place);
  const note = noteAbove(place);
  if (rows.length > 0) return rows.map((row) => withUnits(row.cells, row.head, { ...row, head: row.labelHead, note }).join("|")).join("\n");
  if (note === null) return quote;
  const row = { label: "", at: -1, head: "", note };
  return quote
    .split("\n")
    .map((line) => (FIGURES_LINE.test(line) ? withUnits(line.split(/(?<=\s)|(?=[.。]?\s*$)/), [], row).join("") : line))
    .join("\n");
}

/** The note of the paragraph or table that a quote stands in. The heads of columns say nothing of other columns. */
function noteAbove({ text, start, end }: Span & { readonly text: string }) {
  const above =
    text
      .slice(Math.max(0, start - MAX_TABLE), start)
      .split(/\n\s*\n(?!\s*\|)/)
      .at(-1) ?? "";
  const lines = `${above}${text.slice(start, end)}`.split("\n");
  return findNote(lines.filter((line) => !/^\s{0,3}\|/.test(line)).join("\n"));
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
  const first = above.findLastIndex((line) => !/^\s{0,3}\|/.test(line)) + 1;
  return above[first] ?? text.slice(lineStart, lineStart + MAX_ROW).split("\n", 1)[0] ?? "";
}

function cellsOf(row: string): string[] {
  return row.trim().replace(/^\|/, "").split("|", MAX_CELLS);
}

/** The numerals that got their unit from the head of a column. A sentence may repeat them without unit. */
export function bareNumerals(places: readonly QuotedPlace[]): ReadonlySet<string> {
  const added = places.filter((place) => quoteText(place) !== place.text.slice(place.start, place.end));
  return new Set(added.flatMap(({ text, start, end }) => readAmounts(text.slice(start, end), true).map(({ numeral }) => numeral)));
}
