import { listAt, type TextAnalysis, termId } from "../../domain/analysis.ts";
import type { LongWork } from "../../util/turns.ts";

/** In UTF-16 code units, of each document. */
export const MAX_PLACES_LENGTH = 1_600;
const WINDOWS = 2;

/**
 * Returns the text around the sentences with the most and rarest of the terms, or the beginning if no sentence has one. The result is at most
 * `length` UTF-16 code units long.
 */
export function* bestPlaces(text: string, analysis: TextAnalysis, terms: readonly string[], length = MAX_PLACES_LENGTH): LongWork<string> {
  const window = Math.ceil(length / WINDOWS);
  const { starts, ends } = analysis;
  const scores = new Float64Array(starts.length);
  for (const term of terms) {
    const id = termId(analysis, term);
    if (id < 0) continue;
    const holders = listAt(analysis.holders, id);
    const idf = Math.log(1 + starts.length / holders.length);
    for (const sentence of holders) scores[sentence] = (scores[sentence] ?? 0) + idf;
    yield;
  }
  const spans: { start: number; end: number }[] = [];
  while (spans.length < WINDOWS) {
    const best = scores.reduce((found, score, sentence) => (score > (scores[found] ?? 0) ? sentence : found), -1);
    if (best < 0) break;
    const from = starts[best] ?? 0;
    // Most of the window is for what follows the sentence.
    const start = starts.find((at) => at >= from - window / 4) ?? from;
    const end = Math.max(start + window, Math.min(ends[best] ?? 0, start + length));
    spans.push({ start, end });
    for (const [sentence, at] of starts.entries()) if (at >= start && at < end) scores[sentence] = 0;
    yield;
  }
  if (spans.length === 0) spans.push({ start: 0, end: window });
  return joinSpans(spans)
    .map(({ start, end }) => text.slice(start, end).trim())
    .join(" […] ")
    .slice(0, length)
    .toWellFormed();
}

/** Sorts spans and joins those that overlap. */
function joinSpans(spans: readonly { readonly start: number; readonly end: number }[]) {
  const joined: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}
