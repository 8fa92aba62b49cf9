import { type CellObject, read, SSF, utils, type WorkSheet } from "@e965/xlsx";
import { zipSync } from "fflate";
import { DossierError } from "../../errors.ts";
import { type BlockDraft, collapse, type Draft } from "../block-text.ts";
import { describeRows, type GridRow } from "../table-rows.ts";
import { leftOut, openPackage, picturesIn, propertiesOf, rootOf } from "./package.ts";

/** How many rows of a sheet are read. More would take more memory than a document may. */
const MAX_ROWS = 20_000;
/** How many cells of a sheet get the text of a merged cell that covers them. */
const MAX_MERGED = 200_000;

/**
 * Reads the visible sheets, rows and columns of a workbook: numbers as they are formatted, in the format General with all their digits, dates
 * as YYYY-MM-DD, formulas by the values that are stored. Each sheet is a section, each row a block with its range as place.
 * @throws DossierError `document_too_large`, `unreadable`
 */
export async function extractXlsx(bytes: Uint8Array, maxCharacters: number): Promise<Draft> {
  const { book, uncalculated, long, charts, pictures, properties } = parse(bytes);
  const infos = book.Workbook?.Sheets ?? [];
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const hidden = book.SheetNames.filter((_, i) => (infos[i]?.Hidden ?? 0) !== 0);
  const shown = book.SheetNames.filter((name) => !hidden.includes(name));
  const skipped = { rows: 0 };
  const gaps: string[] = [];
  const drafts: BlockDraft[] = [];
  let room = maxCharacters;
  for (const name of shown) {
    const sheet = book.Sheets[name];
    if (sheet === undefined) continue;
    delete book.Sheets[name];
    const { drafts: rows, gaps: own } = describeRows(gridOf(sheet, { name, date1904, skipped }), Math.max(0, room));
    room -= rows.reduce((sum, { text }) => sum + text.length, 0);
    gaps.push(...own.map((gap) => `${name}: ${gap}`));
    if (rows.length > 0) drafts.push({ kind: "heading", level: 1, text: collapse(name) }, ...rows, ...notesOf(sheet, name));
  }
  const { incomplete } = leftOut([
    [`hidden sheets ${hidden.map((name) => `“${name}”`).join(", ")}`, hidden.length],
    ["hidden rows and columns", skipped.rows],
    ["formulas without a stored value", uncalculated],
    ["charts", charts],
    ["pictures", pictures],
    [`the rows after ${MAX_ROWS} of long sheets`, long],
  ]);
  const all = [...(incomplete === undefined ? [] : [incomplete]), ...(gaps.length === 0 ? [] : [`${gaps.join("; ")}.`])];
  return { ...properties, drafts, ...(all.length > 0 && { incomplete: all.join(" ") }) };
}

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const LAST_ROW = /^<row\b[^<>]*\sr="(\d+)"/;
const DRAWING = /^xl\/drawings\/[^/]+\.xml$/;
const CHART = /^xl\/charts\/chart\d*\.xml$/;
/** The formula of a number that no program has calculated. The library would read it as 0. */
const UNCALCULATED = /(<c\b(?![^<>]*\st=)[^<>]*>)\s*<f\b[^<>]*(?:\/>|>[^<]*<\/f>)\s*(?:<v\s*\/>\s*|<v>\s*<\/v>\s*)?(?=<\/c>)/g;

/** The library gets the checked parts, because it would unpack pictures too. */
function parse(bytes: Uint8Array) {
  const office = openPackage(bytes);
  const parts = { ...office.parts };
  let [uncalculated, long] = [0, 0];
  for (const name of Object.keys(parts).filter((part) => SHEET.test(part))) {
    const sheet = new TextDecoder().decode(parts[name]);
    if (Number(LAST_ROW.exec(sheet.slice(sheet.lastIndexOf("<row")))?.[1]) > MAX_ROWS) long += 1;
    const count = sheet.match(UNCALCULATED)?.length ?? 0;
    uncalculated += count;
    if (count > 0) parts[name] = new TextEncoder().encode(sheet.replaceAll(UNCALCULATED, "$1"));
  }
  const charts = office.names.filter((part) => CHART.test(part)).length;
  const drawings = office.names.filter((part) => DRAWING.test(part));
  const pictures = drawings.reduce((sum, part) => sum + picturesIn(rootOf(office, part)), 0);
  try {
    const options = { dense: true, cellStyles: true, cellHTML: false, cellText: true, cellNF: true, sheetRows: MAX_ROWS } as const;
    return { book: read(zipSync(parts, { level: 0 }), options), uncalculated, long, charts, pictures, properties: propertiesOf(office) };
  } catch (cause) {
    throw new DossierError("unreadable", "The document is not an XLSX file that can be read.", { cause });
  }
}

interface SheetFacts {
  readonly name: string;
  /** Whether the workbook counts days from 1904 on. */
  readonly date1904: boolean;
  readonly skipped: { rows: number };
}

/** Returns the visible rows. A cell that covers several rows is in each of them. */
function gridOf(sheet: WorkSheet, { name, date1904, skipped }: SheetFacts): GridRow[] {
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet["!data"] ?? [];
  const isHidden = (column: number): boolean => sheet["!cols"]?.[column]?.hidden === true;
  const hasHidden = sheet["!cols"]?.some((column) => column?.hidden === true) === true;
  const hiddenColumns = new Set<number>();
  // A sheet may skip a million rows, which are holes of the array.
  const texts = data.map((row) => Array.from(row ?? [], (cell) => collapse(textOf(cell, date1904))));
  const spread = spreadMerged(sheet, texts);
  const rows: GridRow[] = [];
  let next = 0;
  texts.forEach((cells, index) => {
    if (index > next) rows.push({ cells: [] });
    next = index + 1;
    const isFilled = cells.some((cell) => cell !== "");
    if (isFilled && sheet["!rows"]?.[index]?.hidden === true) {
      skipped.rows += 1;
      return;
    }
    for (const [column, cell] of cells.entries()) if (cell !== "" && isHidden(column)) hiddenColumns.add(column);
    const visible = (all: readonly string[]): readonly string[] => (hasHidden ? all.filter((_, column) => !isHidden(column)) : all);
    const wide = spread.get(index);
    const place = isFilled && { place: { sheet: name, range: rangeOf(cells, index) } };
    rows.push({ cells: visible(cells), ...(wide !== undefined && { spread: visible(wide) }), ...place });
  });
  skipped.rows += hiddenColumns.size;
  return rows;
}

interface DateParts {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

/** The part of the library that knows number formats, which its types leave open. */
const formats: {
  is_date(format: string): boolean;
  /** Returns null for a number that is no date. */
  parse_date_code(value: number, options: { readonly date1904: boolean }): DateParts | null;
} = SSF;

/** What a format writes as it stands, its language and its colors. */
const LITERAL = /"[^"]*"|\\.|\[[^\]]*\]/g;
const HAS_YEAR_AND_DAY = /[ye].*d|d.*[ye]/i;

/** A time of day, a duration or a month is written as the format says. The library cannot write some formats of dates, such as `dd.mm.yyyy`. */
function textOf(cell: CellObject | undefined, date1904: boolean): string {
  const shown = cell?.w ?? (cell?.v === undefined ? "" : String(cell.v));
  if (cell?.t !== "n" || typeof cell.v !== "number") return shown;
  const format = String(cell.z ?? "General");
  if (format === "General") return digitsOf(cell.v);
  const date = formats.is_date(format) ? formats.parse_date_code(cell.v, { date1904 }) : null;
  if (date === null) return shown;
  return cell.w === undefined || HAS_YEAR_AND_DAY.test(format.replaceAll(LITERAL, "")) ? isoDate(date) : cell.w;
}

/** Spreadsheets calculate with 15 digits; what comes after them is noise of binary fractions. */
function digitsOf(value: number): string {
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)));
}

/** The time is there if it is not midnight, and the seconds if they are not 0. */
function isoDate({ y, m, d, H, M, S }: DateParts): string {
  const padded = (parts: readonly number[]): string[] => parts.map((part) => String(part).padStart(2, "0"));
  const time = padded(S === 0 ? [H, M] : [H, M, S]).join(":");
  return `${String(y).padStart(4, "0")}-${padded([m, d]).join("-")}${H + M + S === 0 ? "" : ` ${time}`}`;
}

/** Writes merged cells into the rows that they cover. Returns the rows in which a cell covers several columns, with its text in each. */
function spreadMerged(sheet: WorkSheet, texts: string[][]): Map<number, string[]> {
  const spread = new Map<number, string[]>();
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
  let left = MAX_MERGED;
  // Cells that cover rows come first, so that the rows are whole.
  for (const { s, e } of (sheet["!merges"] ?? []).toSorted((a, b) => Number(a.e.c > a.s.c) - Number(b.e.c > b.s.c))) {
    const text = texts[s.r]?.[s.c] ?? "";
    for (let row = s.r; text !== "" && row <= Math.min(e.r, texts.length - 1) && left-- > 0; row++) {
      const cells = texts[row];
      if (cells === undefined) continue;
      while (cells.length <= s.c) cells.push("");
      cells[s.c] ||= text;
      const covered = Array.from({ length: Math.min(e.c, width - 1) - s.c }, (_, i) => s.c + 1 + i).filter(
        (column) => (cells[column] ?? "") === "",
      );
      left -= covered.length;
      if (covered.length === 0) continue;
      const wide = spread.get(row) ?? [...cells];
      for (const column of covered) wide[column] = text;
      spread.set(row, wide);
    }
  }
  for (const [row, wide] of spread)
    spread.set(
      row,
      Array.from(wide, (cell) => cell ?? ""),
    );
  return spread;
}

function rangeOf(cells: readonly string[], row: number): string {
  const [first, last] = [cells.findIndex((cell) => cell !== ""), cells.findLastIndex((cell) => cell !== "")];
  const [from, to] = [utils.encode_cell({ r: row, c: first }), utils.encode_cell({ r: row, c: last })];
  return from === to ? from : `${from}:${to}`;
}

/** Returns the notes that are pinned to cells. */
function notesOf(sheet: WorkSheet, name: string): BlockDraft[] {
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet["!data"] ?? [];
  const drafts: BlockDraft[] = [];
  data.forEach((row, r) => {
    row?.forEach((cell, c) => {
      const text = collapse((cell?.c ?? []).map(({ t = "" }) => t).join(" "));
      const range = utils.encode_cell({ r, c });
      if (text !== "") drafts.push({ kind: "paragraph", level: 0, text: `Note on ${range}: ${text}`, place: { sheet: name, range } });
    });
  });
  return drafts;
}
