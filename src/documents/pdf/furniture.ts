import type { Line } from "./lines.ts";
import type { Page } from "./pages.ts";

/** A page as lines, in the order they were written. */
export interface LinedPage {
  readonly page: Page;
  readonly lines: readonly Line[];
}

/** The share of a page's height, at its top and at its foot, in which headers and footers stand. */
const MARGIN_SHARE = 0.12;
/** Text that stands at the same place of so many pages belongs to the pages, not to the text. */
const MIN_REPEATS = 3;
const FEW_PAGES = 4;
/** Page numbers are looked for further in: some pages have wide margins. */
const NUMBER_SHARE = 0.2;
const PAGE_NUMBER =
  /^(?:[-–—•.\s]*(?:page|p\.|第|頁|页)?\s*(?:\d{1,4}|[ivxl]{1,6})\s*(?:页|頁|of \d{1,4}|\/\s*\d{1,4}|共\s*\d{1,4}\s*[页頁])?[-–—•.\s]*)$/i;
const MIN_LINE_NUMBERS = 5;

/** The lines without headers, footers and page numbers, and without the numbers of lines at the margin. */
export function withoutFurniture(pages: readonly LinedPage[]): LinedPage[] {
  const repeats = new Map<string, number>();
  for (const { page, lines } of pages) {
    const keys = new Set(lines.filter((line) => isAtMargin(line, page)).map((line) => keyOf(line)));
    for (const key of keys) repeats.set(key, (repeats.get(key) ?? 0) + 1);
  }
  const enough = pages.length <= FEW_PAGES ? 2 : MIN_REPEATS;
  return pages.map(({ page, lines }) => {
    const numbers = lineNumbers(lines);
    const isFurniture = (line: Line): boolean =>
      numbers.has(line) || (isAtMargin(line, page) && (repeats.get(keyOf(line)) ?? 0) >= enough) || isPageNumber(line, lines, page);
    return { page, lines: lines.filter((line) => !isFurniture(line)) };
  });
}

function isAtMargin({ top, bottom, turn, vertical }: Line, { edges, turn: main }: Page, share = MARGIN_SHARE): boolean {
  if (vertical || turn !== main) return false;
  const height = (edges.top - edges.bottom) * share;
  return bottom >= edges.top - height || top <= edges.bottom + height;
}

/** Equal for lines with the same words at the same height, whatever their numbers. */
function keyOf({ text, bottom }: Line): string {
  return `${Math.round(bottom / 4)} ${text.replaceAll(/\d+/g, "#")}`;
}

/** A number with nothing beyond it, towards the edge of the page, but perhaps one line of a header or footer. */
function isPageNumber(line: Line, lines: readonly Line[], page: Page): boolean {
  if (!PAGE_NUMBER.test(line.text) || !isAtMargin(line, page, NUMBER_SHARE)) return false;
  const others = lines.filter((other) => other !== line && other.turn === line.turn);
  const above = others.filter(({ bottom }) => bottom >= line.top).length;
  const below = others.filter(({ top }) => top <= line.bottom).length;
  return others.length > 0 && Math.min(above, below) <= 1;
}

/** Counting numbers, written in one go, one below the other, to the left of everything else. */
function lineNumbers(lines: readonly Line[]): Set<Line> {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (!/^\d{1,4}$/.test(line.text)) runs.push([]);
    else if (last && Number(line.text) === Number(last.text) + 1 && line.top < last.top && Math.abs(line.right - last.right) < line.size)
      run?.push(line);
    else runs.push([line]);
  }
  const longest = runs.reduce((most, run) => (run.length > most.length ? run : most), []);
  const numbers = new Set(longest);
  const right = Math.max(...longest.map((line) => line.right));
  const alone = lines.every((line) => numbers.has(line) || line.left >= right);
  return longest.length >= MIN_LINE_NUMBERS && longest.length < lines.length && alone ? numbers : new Set();
}
