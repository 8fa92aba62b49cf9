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

/** A line of a table: texts of documents have the cells joined by ` | `, and Markdown may begin a line with `|`. */
const TABLE_LINE = /^\s{0,3}\||\s\|\s/;

type Place = Span & { readonly text: string };

/** Returns the lines from above a place to its end, the last one whole, and the index of the line that the place begins in. */
function linesAround({ text, start, end }: Place) {
  const rest = text.slice(end, end + MAX_ROW).split("\n", 1)[0] ?? "";
  const lines = (text.slice(Math.max(0, start - MAX_TABLE), end) + rest).split("\n");
  return { lines, at: lines.length - text.slice(start, end).split("\n").length };
}

/** Returns the quoted cells of each row, with their heads. `at` is the index of the label, negative if it stands before the cells. */
function rowsIn({ text, start, end }: Place, heads: readonly string[]) {
  const before =
    text
      .slice(Math.max(0, start - MAX_ROW), start)
      .split("\n")
      .at(-1) ?? "";
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
  const read = known.get(place) ?? readTable(place) ?? { text: place.text.slice(place.start, place.end), head: null };
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
  const { lines, at } = linesAround(place);
  if (!TABLE_LINE.test(lines[at] ?? "")) return null;
  const first = lines.slice(0, at).findLastIndex((line) => !TABLE_LINE.test(line)) + 1;
  const head = lines[first] ?? "";
  const note = findNote(lastParagraph(lines.slice(0, first)));
  const rows = rowsIn(place, cellsOf(head)).map(({ cells, head: own, ...row }) => ({
    own,
    cells: withUnits(cells, own, { ...row, note }),
  }));
  const heads = new Set(rows.flatMap(({ cells, own }) => own.filter((label) => /\d/.test(label) && !cells.includes(label))));
  return { text: [...rows.map(({ cells }) => cells.join("|")), ...heads].join("\n"), head };
}

/** The heads of columns say nothing of other columns, but a paragraph above a table does. */
function lastParagraph(lines: readonly string[]): string {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const start = lines.slice(0, end).findLastIndex((line) => line.trim() === "") + 1;
  return lines.slice(start, end).join("\n");
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
  const added = places.filter((place) => tableHead(place) !== null);
  return new Set(added.flatMap(({ text, start, end }) => readAmounts(text.slice(start, end), true).map(({ numeral }) => numeral)));
}
