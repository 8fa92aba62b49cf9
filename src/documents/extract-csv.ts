import { parse } from "csv-parse/sync";
import { DossierError } from "../errors.ts";
import { collapse, type Draft, NO_METADATA } from "./block-text.ts";
import { describeRows } from "./table-rows.ts";

/** Excel writes the delimiter into the first line, as in `sep=;`. */
const DECLARED = /^\ufeff?[\r\n]*"?sep=(.)"?[^\S\r\n]*(?:\r\n?|\n)/i;

/**
 * Turns a table into text, see `describeRows`. Finds out whether commas, semicolons, tabs or bars separate the cells.
 * @param maxCharacters rows after it are left out, which the draft says
 * @throws DossierError `unreadable`
 */
export function extractCsv(text: string, maxCharacters: number): Draft {
  const declared = DECLARED.exec(text);
  const table = text.slice(declared?.[0].length ?? 0);
  const rows = readRows(table, declared?.[1] ?? delimiterOf(table)).map((cells) => ({ cells: cells.map(collapse) }));
  const { drafts, gaps } = describeRows(rows, maxCharacters);
  return { ...NO_METADATA, drafts, ...(gaps.length > 0 && { incomplete: `${gaps.join("; ")}.` }) };
}

function readRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: false, delimiter });
  } catch (cause) {
    throw new DossierError("unreadable", "The table cannot be read: a quoted cell does not end.", { cause });
  }
}

const DELIMITERS = [",", ";", "\t", "|"];
const SAMPLE_LENGTH = 100_000;
const QUOTED = /"[^"]*"/g;

/** Returns the delimiter that most lines have equally often outside of quotes; of several the more frequent. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, SAMPLE_LENGTH)
    .replaceAll(QUOTED, "")
    .split(/[\r\n]+/);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = Map.groupBy(lines, (line) => line.split(delimiter).length - 1);
    counts.delete(0);
    return Math.max(0, ...Array.from(counts, ([count, { length }]) => length + Math.min(count, MAX_COUNT) / (MAX_COUNT + 1)));
  });
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ",";
}

/** Below a whole line in the score. */
const MAX_COUNT = 1_000;
