import type { Readable, Writable } from "node:stream";
import { toDossierError } from "../errors.ts";

export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env?: Record<string, string | undefined>;
  /** Calls `first` at the first Ctrl-C or SIGTERM, and `again` at each later one. */
  onStop(first: () => void, again: () => void): void;
}

export function isScreen({ stderr }: Terminal): boolean {
  return "isTTY" in stderr && stderr.isTTY === true;
}

/** On a screen, the line replaces a line of progress. */
export function say(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${isScreen(terminal) ? "\r\x1b[K" : ""}${line}\n`);
}

export function print({ stdout }: Terminal, text: string): void {
  stdout.write(text);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function printError(terminal: Terminal, error: unknown): void {
  const { code, message } = toDossierError(error);
  say(terminal, `${code}: ${message}`);
}

const WIDTH = 80;
/** In columns. After a wider cell, the row continues on the next line. */
const MAX_CELL = 30;
const GAP = "  ";

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

export function displayWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);
}

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
