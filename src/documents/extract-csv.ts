import { parse } from "csv-parse/sync";
import { DossierError } from "../errors.ts";
import { type BlockDraft, collapse, type Draft, NO_METADATA } from "./block-text.ts";

/** In UTF-16 code units. */
const MAX_CELL_LENGTH = 10_000;
const MAX_HEADER_LENGTH = 200;
const MAX_COLUMNS = 500;

/**
 * Turns a table into text. Each row names the header of each cell, as in `Year: 2023 | Revenue: 27.2`, and is a table of its own, so that
 * a quote of it needs no other. Finds out whether commas, semicolons, tabs or bars separate the cells.
 * @param maxCharacters rows after it are left out, which the draft says
 * @throws DossierError `unreadable`
 */
export function extractCsv(text: string, maxCharacters: number): Draft {
  const [first = [], ...rows] = readRows(text);
  const headers = first.slice(0, MAX_COLUMNS).map((header, column) => cut(collapse(header), MAX_HEADER_LENGTH) || `Column ${column + 1}`);
  const drafts: BlockDraft[] = rows.length > 0 ? [] : [{ kind: "table-row", level: 1, text: headers.join(" | ") }];
  let room = maxCharacters;
  let [read, isCut] = [0, first.length > MAX_COLUMNS];
  for (const row of rows) {
    const cells = row.slice(0, MAX_COLUMNS).map(collapse);
    isCut ||= row.length > MAX_COLUMNS || cells.some(({ length }) => length > MAX_CELL_LENGTH);
    const line = rowText(headers, cells);
    room -= line.length;
    if (room < 0) break;
    drafts.push({ kind: "table-row", level: 1, text: line });
    read += 1;
  }
  const gaps = [
    ...(read < rows.length ? [`only the first ${read} of ${rows.length} rows were read`] : []),
    ...(isCut ? [`cells after the first ${MAX_COLUMNS} of a row, or after ${MAX_CELL_LENGTH} characters, were cut`] : []),
  ];
  return { ...NO_METADATA, drafts: first.length === 0 ? [] : drafts, ...(gaps.length > 0 && { incomplete: `${gaps.join("; ")}.` }) };
}

/** Empty cells are left out. */
function rowText(headers: readonly string[], cells: readonly string[]): string {
  return cells
    .flatMap((cell, column) => (cell === "" ? [] : [`${headers[column] ?? `Column ${column + 1}`}: ${cut(cell, MAX_CELL_LENGTH)}`]))
    .join(" | ");
}

function cut(cell: string, length: number): string {
  return cell.length > length ? `${cell.slice(0, length).toWellFormed()}…` : cell;
}

function readRows(text: string): string[][] {
  const options = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, delimiter: delimiterOf(text) };
  try {
    return parse(text, options);
  } catch (cause) {
    throw new DossierError("unreadable", "The table cannot be read: a quoted cell does not end.", { cause });
  }
}

const DELIMITERS = [",", ";", "\t", "|"];

/** Returns the delimiter that is most frequent in the first line outside of quotes. */
function delimiterOf(text: string): string {
  const line = /^[^\r\n]*/.exec(text.replace(/^[\ufeff\r\n]+/, ""))?.[0].replaceAll(/"[^"]*"/g, "") ?? "";
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
