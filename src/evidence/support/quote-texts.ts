import type { Span } from "../../ranking/sentences.ts";
import { readAmounts } from "../figures/amounts.ts";
import { scaleNote } from "../figures/check-figures.ts";
import { withUnits } from "./column-units.ts";

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

/** Returns the quoted text. Numbers get the unit in the head of their column, or a note such as "in millions" in the same paragraph. */
export function quoteText({ text, start, end }: Span & { readonly text: string }): string {
  const paragraph =
    text
      .slice(Math.max(0, start - MAX_ROW), start)
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  const note = scaleNote(paragraph);
  const quote = `${text.slice(start, end)}${note === null ? "" : ` (${note})`}`;
  const from = Math.max(0, start - MAX_ROW);
  const lineStart = from + text.slice(from, start).lastIndexOf("\n") + 1;
  if (!/^\s{0,3}\|/.test(text.slice(lineStart, lineStart + 4))) return quote;
  const head = ["", ...cellsOf(headAbove(text, lineStart))];
  const skipped = text.slice(lineStart, start).split("|");
  const rows = quote.split("\n").map((row, i) => {
    const before = i === 0 ? skipped.length - 1 : 0;
    const cells = row.split("|");
    const label = before > 1 ? (skipped[1] ?? "") : (cells[1 - before] ?? "");
    return withUnits(cells, head.slice(before), { label, at: 1 - before, head: head[1] ?? "" }).join("|");
  });
  return rows.join("\n");
}

/** In UTF-16 code units. Names may stand this far from a quote in its document. */
const NEAR = 100_000;

export function nearbyText({ text, start, end }: QuotedPlace): string {
  return text.slice(Math.max(0, start - NEAR), end + NEAR);
}

function headAbove(text: string, lineStart: number): string {
  const above = text
    .slice(Math.max(0, lineStart - MAX_TABLE), lineStart)
    .split("\n")
    .slice(0, -1);
  const first = above.findLastIndex((line) => !/^\s{0,3}\|/.test(line)) + 1;
  return above[first] ?? "";
}

function cellsOf(row: string): string[] {
  return row.trim().replace(/^\|/, "").split("|", MAX_CELLS);
}

/** The numerals that got their unit from the head of a column. A sentence may repeat them without unit. */
export function bareNumerals(places: readonly QuotedPlace[]): ReadonlySet<string> {
  const added = places.filter((place) => quoteText(place) !== place.text.slice(place.start, place.end));
  return new Set(added.flatMap(({ text, start, end }) => readAmounts(text.slice(start, end), true).map(({ numeral }) => numeral)));
}
