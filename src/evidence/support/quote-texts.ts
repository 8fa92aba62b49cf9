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

type Place = Span & { readonly text: string };

/** The line of a table that a place begins in, and the head of the table; null outside of tables. */
function tableAt({ text, start }: Place): { readonly lineStart: number; readonly head: string } | null {
  const lineStart = lineStartOf(text, start);
  if (lineStart === null || !TABLE_LINE.test(lineAt(text, lineStart))) return null;
  const above = text
    .slice(Math.max(0, lineStart - MAX_TABLE), lineStart)
    .split("\n")
    .slice(0, -1);
  const first = above.findLastIndex((line) => !TABLE_LINE.test(line)) + 1;
  return { lineStart, head: above[first] ?? lineAt(text, lineStart) };
}

/** Returns the quoted cells of each row, with their heads. `at` is the index of the label, negative if it stands before the cells. */
function rowsIn({ text, start, end }: Place, lineStart: number, heads: readonly string[]) {
  const before = text.slice(lineStart, start);
  return text
    .slice(start, end)
    .split("\n")
    .map((row, i) => {
      const skipped = i === 0 ? before : "";
      const line = skipped + row;
      const first = skipped.split("|").length - 1 - (/^\s{0,3}\|/.test(line) ? 1 : 0);
      const cells = row.split("|", MAX_CELLS);
      const head = cells.map((_, column) => heads[first + column] ?? "");
      return { cells, head, label: cellsOf(line)[0] ?? "", at: -first, labelHead: heads[0] ?? "" };
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
interface ReadPlace {
  /** The quoted text, with the heads of columns that have figures, such as "FY2024". */
  readonly text: string;
  /** The head of the table that it stands in; null outside of tables. */
  readonly head: string | null;
}

/** A place is compared with its sentence in several ways. */
const known = new WeakMap<object, ReadPlace>();

function readPlace(place: Place): ReadPlace {
  const read = known.get(place) ?? readTable(place) ?? { text: proseOf(place), head: null };
  known.set(place, read);
  return read;
}

export function quoteText(place: Place): string {
  return readPlace(place).text;
}

export function tableHead(place: Place): string | null {
  return readPlace(place).head;
}

function readTable(place: Place): ReadPlace | null {
  const table = tableAt(place);
  if (table === null) return null;
  const note = findNote(noteAbove(place));
  const rows = rowsIn(place, table.lineStart, cellsOf(table.head)).map(({ cells, head, ...row }) => ({
    head,
    cells: withUnits(cells, head, { ...row, note }),
  }));
  const heads = new Set(rows.flatMap(({ cells, head }) => head.filter((label) => /\d/.test(label) && !cells.includes(label))));
  return { text: [...rows.map(({ cells }) => cells.join("|")), ...heads].join("\n"), head: table.head };
}

function proseOf(place: Place): string {
  const quote = place.text.slice(place.start, place.end);
  const note = /\d/.test(quote) ? findNote(noteAbove(place)) : null;
  if (note === null) return quote;
  const row = { label: "", at: -1, labelHead: "", note };
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
