/** A separator that lost a space at an end of the row still separates. */
const SEPARATOR = /(?:^| )\|(?: |$)/u;
const MAX_NUMBER_LENGTH = 24;
const CHINESE_END = /[\p{sc=Han}\u3000-\u303f\uff00-\uffef]["”’]?$/u;

/** Splits the sentence of a table's row into its cells. */
export function cellsOf(row: string): string[] {
  return row.split(SEPARATOR);
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
