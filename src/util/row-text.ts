/** A separator that lost a space at an end of the row still separates. */
const SEPARATOR = /(?:^| )\|(?: |$)/u;
const MAX_NUMBER_LENGTH = 24;
const CHINESE_END = /[\p{sc=Han}\u3000-\u303f\uff00-\uffef]["”’]?$/u;

/** Splits the sentence of a table's row into its cells. */
export function cellsOf(row: string): string[] {
  return row.split(SEPARATOR);
}

export interface QuotedRow {
  readonly caption: string;
  readonly head: readonly string[];
  readonly cells: readonly string[];
}

const NAMED = /^([^:：]{1,60})[:：]\s*(.*)$/u;

/**
 * Reads a quoted row of a table: below its head, and maybe its caption, each on a line of its own; or `Name: value | Name: value`. Null for other
 * texts.
 */
export function quotedRow(text: string): QuotedRow | null {
  const lines = text.split("\n");
  const cells = cellsOf(lines.pop() ?? "");
  if (cells.length < 2) return null;
  const head = cellsOf(lines.pop() ?? "");
  if (head.length === cells.length) return { caption: lines.join(" "), head, cells };
  const named = cells.map((cell) => NAMED.exec(cell) ?? []);
  if (head.length > 1 || head[0] !== "" || named.some(({ length }) => length === 0)) return null;
  return { caption: "", head: named.map(([, name = ""]) => name), cells: named.map(([, , value = ""]) => value) };
}

/** Returns the cells of a row of a table with this head. */
export function rowCells(text: string, head: readonly string[]): readonly string[] {
  const row = quotedRow(text);
  return row !== null && row.head.join("\n") === head.join("\n") ? row.cells : cellsOf(text);
}

/** Whether these cells of a table's column are numbers. Empty ones and dashes do not count. */
export function isNumeric(column: readonly string[]): boolean {
  const cells = column.filter((cell) => cell !== "" && !/^[-–—]$/.test(cell));
  return cells.length > 0 && cells.every((cell) => cell.length <= MAX_NUMBER_LENGTH && /^[^\p{L}\d]{0,3}\d/u.test(cell));
}

/** Returns what stands between a text and what follows it: a space, but nothing after Chinese or an empty text. */
export function gapAfter(text: string): "" | " " {
  return text === "" || CHINESE_END.test(text) ? "" : " ";
}
