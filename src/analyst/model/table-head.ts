import { type AnalyzedDocument, SENTENCE_IS } from "../../domain/analysis.ts";
import { firstIndex } from "../../util/first-index.ts";

/** Returns the caption and the first row of the table in whose middle a passage begins, a line each; `""` if it begins in none. */
export function tableAbove({ text, analysis }: AnalyzedDocument, start: number): string {
  const { starts, ends, firstRows, flags } = analysis;
  const sentence = firstIndex(ends.length, (index) => (ends[index] ?? 0) > start);
  const row = firstRows[sentence] ?? -1;
  if (row < 0) return "";
  const isCaptioned = ((flags[row] ?? 0) & SENTENCE_IS.captioned) !== 0;
  const above = isCaptioned && row > 0 ? [row - 1, row] : [row];
  return above.map((index) => text.slice(starts[index], ends[index])).join("\n");
}

/** Returns a passage as a model sees it. Of a table that it continues, the caption and the first row stand above it. */
export function shownText(document: AnalyzedDocument, start: number, end: number): string {
  const above = tableAbove(document, start);
  const own = document.text.slice(start, end);
  return above === "" ? own : `${above}\n[…]\n${own}`;
}
