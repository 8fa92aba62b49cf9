/** What a terminal has at least, in columns. */
const WIDTH = 80;
/** A cell that is wider than this ends its line; the cells after it go on under their heads. */
const MAX_CELL = 30;
const GAP = "  ";

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns of a terminal a text takes: two for each character of Chinese, Japanese and Korean. */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);
}

/** The rows in aligned columns, as lines; the last column is broken between words, so that only a single word can be wider than 80. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const before = Math.max(0, ...rows.map((row) => row.length - 1));
  const widths = Array.from({ length: before }, (_, column) => Math.max(...rows.map((row) => fittingWidth(row[column] ?? ""))));
  return rows.flatMap((row) => rowLines(row, widths));
}

function fittingWidth(cell: string): number {
  const width = displayWidth(cell);
  return width > MAX_CELL ? 0 : width;
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [column, width] of widths.entries()) {
    const cell = row[column] ?? "";
    line += cell;
    if (displayWidth(cell) > width) {
      lines.push(line);
      line = blank(widths.slice(0, column + 1));
    } else line += " ".repeat(width - displayWidth(cell)) + GAP;
  }
  const indent = blank(widths);
  for (const word of (row.at(-1) ?? "").split(" ")) {
    const fits = displayWidth(line) + displayWidth(word) <= WIDTH;
    if (!fits && line.trim() !== "") lines.push(line);
    const start = displayWidth(indent) + displayWidth(word) <= WIDTH ? indent : GAP;
    line = `${fits ? line : start}${word} `;
  }
  return [...lines, line].map((one) => one.trimEnd());
}

function blank(widths: readonly number[]): string {
  return widths.map((width) => " ".repeat(width) + GAP).join("");
}
