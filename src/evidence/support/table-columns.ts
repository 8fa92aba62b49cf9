import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { isStopWord } from "../../ranking/query-terms.ts";
import { amountsOf, hasFigures, missingFigures, missingIn, readSources, type Sources } from "../figures/check-figures.ts";
import { singularOf } from "./ordinary-words.ts";
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

/** Nothing is known of more rows or cells. Further amounts of a sentence are not compared. */
const [MAX_ROWS, MAX_CELLS, MAX_AMOUNTS] = [200, 400, 20];

/** Reads texts once that are compared with many amounts. Returns whether one of them states an amount. */
function readStates(texts: readonly string[]): (amount: string) => boolean {
  let sources: Sources | undefined;
  return (amount) => {
    if (texts.length === 0) return false;
    sources ??= readSources(texts, []);
    return missingIn(amount, sources).length === 0;
  };
}

/** Returns whether an amount stands in what is quoted besides the rows of tables. */
function readElsewhere(places: readonly QuotedPlace[]): (amount: string) => boolean {
  return readStates(places.filter((place) => quotedRows(place).length === 0).map(quoteText));
}

/**
 * Returns an amount of a sentence that stands in the quoted rows only under other years than those of the sentence; null if there is none.
 * Nothing is known of amounts that also stand elsewhere in the quotes, and of sentences without a year of the table.
 */
export function misdatedAmount(sentence: string, places: readonly QuotedPlace[]): string | null {
  const years = new Set(yearsOf(sentence));
  if (years.size === 0) return null;
  const cells = places.flatMap(rowsWithUnits).flatMap(cellsOf);
  const dated = cells.map(({ text, labels }) => ({ states: readStates([text]), years: labels.flatMap(yearsOf) }));
  if (dated.length > MAX_CELLS || !dated.some((cell) => cell.years.some((year) => years.has(year)))) return null;
  const isElsewhere = readElsewhere(places);
  const misdated = amountsOf(sentence)
    .slice(0, MAX_AMOUNTS)
    .find(({ text }) => {
      const stating = dated.filter(({ states }) => states(text));
      const isOfOther = stating.every((cell) => cell.years.length > 0 && !cell.years.some((year) => years.has(year)));
      return stating.length > 0 && isOfOther && !isElsewhere(text);
    });
  return misdated?.text ?? null;
}

/**
 * Returns an amount of a sentence that stands in the quoted rows only under labels that the sentence does not have, although it has the label
 * of another row of the table: a figure of "Turbines" told of "Cables". Null if there is none.
 */
export function amountOfOtherRow(sentence: string, places: readonly QuotedPlace[]): string | null {
  const rows = places.flatMap(rowsWithUnits);
  if (rows.length === 0 || rows.length > MAX_ROWS) return null;
  const labels = [...new Set(places.flatMap(rowLabels))];
  const words = wordsOf(sentence);
  const isWhole = (label: string): boolean => isName(label) && words.includes(wordsOf(label));
  if (!labels.some(isWhole)) return null;
  const isPartly = readOwnWords(labels, words);
  const isElsewhere = readElsewhere(places);
  const stated = rows.map(({ label, cells, at }) => {
    const isUnnamed = isName(label) && !isWhole(label) && !isPartly(label);
    return { states: readStates([cells.filter((_, i) => i !== at).join("|")]), isUnnamed };
  });
  const amount = amountsOf(sentence)
    .slice(0, MAX_AMOUNTS)
    .find(({ text }) => {
      const stating = stated.filter(({ states }) => states(text));
      return stating.length > 0 && stating.every(({ isUnnamed }) => isUnnamed) && !isElsewhere(text);
    });
  return amount?.text ?? null;
}

/** Labels with figures, such as years, and sums of other rows are no names of what a row is about. */
function isName(label: string): boolean {
  return /\p{L}{2}/u.test(label) && !/\d/.test(label) && !/^\W*(?:total|sum|all|合计|总计|小计|共计)/i.test(label.trim());
}

const WORD = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{N}])+/gu;

/** Returns the words in the singular, and Chinese characters, between spaces. "IT" is not "it". */
function wordsOf(text: string): string {
  const words = text.match(WORD) ?? [];
  return ` ${words.map((word) => (/^\p{Lu}{2,3}$/u.test(word) ? word : singularOf(word.toLowerCase()))).join(" ")} `;
}

/** Returns whether a text has a word of a label that no other label has, or the beginning of one: "turbines" of "Wind turbines". */
function readOwnWords(labels: readonly string[], words: string): (label: string) => boolean {
  const counts = new Map<string, number>();
  for (const word of labels.flatMap(distinctWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isIn = (word: string): boolean => words.includes(word.length > 3 ? ` ${word}` : ` ${word} `);
  return (label) => distinctWords(label).some((word) => (counts.get(word) ?? 0) <= 1 && isIn(word));
}

/** Function words apart. Two characters are the shortest words of Chinese that say something. */
function distinctWords(label: string): string[] {
  const words = wordsOf(label).trim().split(" ");
  const isHan = (word: string | undefined): boolean => /^\p{sc=Han}$/u.test(word ?? "");
  const pairs = words.flatMap((word, i) => (isHan(word) && isHan(words[i + 1]) ? [`${word} ${words[i + 1]}`] : []));
  return [...new Set([...words.filter((word) => word !== "" && !isHan(word) && !isStopWord(word)), ...pairs])];
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
