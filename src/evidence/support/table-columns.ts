import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { amountsOf, hasFigures, missingFigures } from "../figures/check-figures.ts";
import { type QuotedPlace, type QuotedRow, quotedRows, quoteText, rowLabels, rowsWithUnits } from "./quote-texts.ts";

/** Further columns of a table are not compared. */
const MAX_COLUMNS = 20;
const BRACKETS = /[([（【［][^()[\]（）【】［］]{0,60}[)\]）】］]/g;

/** A cell of a quoted table, with the head of its column and the label of its row. */
interface QuotedCell {
  readonly text: string;
  readonly labels: readonly string[];
}

/**
 * Returns a cell whose number stands in the quoted rows of the document, but only under another head than its own, as when two columns are
 * swapped; null if there is none. Nothing is known of a cell whose head the quoted rows do not have as the head of a column or the label of
 * a row, maybe with other units.
 */
export function misplacedCell(text: string, head: readonly string[], places: readonly QuotedPlace[]): string | null {
  const quoted = places.flatMap(quotedRows).flatMap(cellsOf);
  if (quoted.length === 0) return null;
  const cells = text.split(CELL_SEPARATOR, MAX_COLUMNS);
  const misplaced = cells.find((cell, column) => {
    const label = head[column] ?? "";
    if (column === 0 || label.trim() === "" || !/\d/.test(cell)) return false;
    const own = quoted.filter(({ labels }) => labels.some((one) => isSameLabel(one, label)));
    const states = (one: QuotedCell): boolean => missingFigures(cell, [one.text], []).length === 0;
    return own.length > 0 && !own.some(states) && quoted.some(states);
  });
  return misplaced ?? null;
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
const yearsOf = (text: string): string[] => text.match(YEAR) ?? [];

/**
 * Returns an amount of a sentence that stands in the quoted rows only under other years than those of the sentence; null if there is none.
 * Nothing is known of amounts that also stand elsewhere in the quotes, and of sentences without a year of the table.
 */
export function misdatedAmount(sentence: string, places: readonly QuotedPlace[]): string | null {
  const years = new Set(yearsOf(sentence));
  if (years.size === 0) return null;
  const dated = places
    .flatMap(rowsWithUnits)
    .flatMap(cellsOf)
    .map(({ text, labels }) => ({ text, years: labels.flatMap(yearsOf) }));
  if (!dated.some((cell) => cell.years.some((year) => years.has(year)))) return null;
  const others = places.filter((place) => quotedRows(place).length === 0).map(quoteText);
  const misdated = amountsOf(sentence).find(({ text }) => {
    const stating = dated.filter((cell) => missingFigures(text, [cell.text], []).length === 0);
    const isElsewhere = others.length > 0 && missingFigures(text, others, []).length === 0;
    return (
      stating.length > 0 && !isElsewhere && stating.every((cell) => cell.years.length > 0 && !cell.years.some((year) => years.has(year)))
    );
  });
  return misdated?.text ?? null;
}

/**
 * Returns an amount of a sentence that stands in the quoted rows only under labels that the sentence does not have, although it has the label
 * of another row of the table: a figure of "Turbines" told of "Cables". Null if there is none.
 */
export function amountOfOtherRow(sentence: string, places: readonly QuotedPlace[]): string | null {
  const rows = places.flatMap(rowsWithUnits);
  if (rows.length === 0) return null;
  const words = sentence.toLowerCase();
  const isNamed = (label: string): boolean => isName(label) && hasWord(words, label.trim().toLowerCase());
  if (!places.flatMap(rowLabels).some(isNamed)) return null;
  const others = places.filter((place) => quotedRows(place).length === 0).map(quoteText);
  const amount = amountsOf(sentence).find(({ text }) => {
    const stating = rows.filter((row) => missingFigures(text, [row.cells.filter((_, i) => i !== row.at).join("|")], []).length === 0);
    const isElsewhere = others.length > 0 && missingFigures(text, others, []).length === 0;
    return stating.length > 0 && !isElsewhere && stating.every(({ label }) => isName(label) && !isNamed(label));
  });
  return amount?.text ?? null;
}

/** Labels with figures, such as years, and sums of other rows are no names of what a row is about. */
function isName(label: string): boolean {
  return /\p{L}{2}/u.test(label) && !/\d/.test(label) && !/^\W*(?:total|sum|all|合计|总计|小计|共计)/i.test(label.trim());
}

/** Whether a word, maybe in the singular or the beginning of another, stands in a text. */
function hasWord(text: string, word: string): boolean {
  const stem = word.replace(/(?<=\p{L}{3})s$/u, "");
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1))
    if (!/[\p{sc=Latin}\p{N}]/u.test(text.charAt(at - 1))) return true;
  return false;
}

function cellsOf({ label, cells, head, at }: QuotedRow): QuotedCell[] {
  const all = cells.slice(0, MAX_COLUMNS + 1).map((text, i) => ({ text, labels: [head[i] ?? "", label].map((one) => one.trim()) }));
  return all.filter(({ text }, i) => i !== at && /\d/.test(text));
}

/** Whether two labels have the same figures, such as 2024 and FY2024, or without any, the same words. */
function isSameLabel(one: string, other: string): boolean {
  const [first = "", second = ""] = [one, other].map((label) =>
    label.replaceAll(BRACKETS, " ").replaceAll(/\s+/g, " ").trim().toLowerCase(),
  );
  if (first === second) return first !== "";
  if (!hasFigures(one) || !hasFigures(other)) return false;
  return missingFigures(one, [other], []).length === 0 && missingFigures(other, [one], []).length === 0;
}
