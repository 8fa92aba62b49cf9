import { type AnalyzedDocument, rowsAbove } from "../domain/analysis.ts";
import { firstIndex } from "../util/first-index.ts";

/** Returns the caption and the first row of the table in whose middle a passage begins, a line each; `""` if it begins in none. */
export function tableAbove({ text, analysis }: AnalyzedDocument, start: number): string {
  const { starts, ends } = analysis;
  const sentence = firstIndex(ends.length, (index) => (ends[index] ?? 0) > start);
  return rowsAbove(analysis, sentence)
    .map((index) => text.slice(starts[index], ends[index]))
    .join("\n");
}

/** Returns a passage as a model sees it. Of a table that it continues, the caption and the first row stand above it. */
export function shownText(document: AnalyzedDocument, start: number, end: number): string {
  const above = tableAbove(document, start);
  const own = document.text.slice(start, end);
  return above === "" ? own : `${above}\n[…]\n${own}`;
}
