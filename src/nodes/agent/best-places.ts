import { listAt, type TextAnalysis, termId } from "../../domain/analysis.ts";
import { isWithin, joinSpans, outside, type Span } from "./told.ts";

/** In UTF-16 code units, of each document. */
export const MAX_PLACES_LENGTH = 1_600;
const WINDOWS = 2;
export const GAP = " […] ";

/** `isAbove`: places that fit were told before and are left out. */
export interface Places {
  readonly spans: readonly Span[];
  readonly isAbove: boolean;
}

interface PlacesOptions {
  /** At most so many UTF-16 code units, those between the places included. */
  readonly length?: number;
  /** What of the text stands in the conversation, joined. */
  readonly told?: readonly Span[];
}

/**
 * Returns the text around the sentences with the most and rarest of the terms: of the first list of `wanted` that has a term in the text. If
 * none has, returns the beginning. Leaves out what was told before; whole sentences count.
 */
export function bestPlaces(
  text: string,
  analysis: TextAnalysis,
  wanted: readonly (readonly string[])[],
  { length = MAX_PLACES_LENGTH, told = [] }: PlacesOptions = {},
): Places {
  const window = Math.ceil(length / WINDOWS);
  const { starts, ends } = analysis;
  const known = told.flatMap((span) => wholeSentences(span, analysis));
  const scores = scoreFirst(analysis, wanted);
  const spans: Span[] = [];
  let isAbove = false;
  const take = (best: Span, place: Span): void => {
    if (isWithin(best, known)) isAbove = true;
    else spans.push({ start: place.start, end: Math.min(place.end, text.length) });
  };
  for (let taken = 0; taken < WINDOWS; taken += 1) {
    const best = scores.reduce((found, score, sentence) => (score > (scores[found] ?? 0) ? sentence : found), -1);
    if (best < 0) break;
    const [from = 0, to = 0] = [starts[best], ends[best]];
    // Most of the window is for what follows the sentence.
    const start = starts.find((at) => at >= from - window / 4) ?? from;
    const end = Math.max(start + window, Math.min(to, start + length));
    take({ start: from, end: Math.min(to, end) }, { start, end });
    for (const [sentence, at] of starts.entries()) if (at >= start && at < end) scores[sentence] = 0;
  }
  if (spans.length === 0 && !isAbove && text !== "") take({ start: starts[0] ?? 0, end: ends[0] ?? window }, { start: 0, end: window });
  const fresh = joinSpans(spans).flatMap((span) => outside(span, known));
  return { spans: cutToLength(fresh, length), isAbove };
}

function scoreFirst(analysis: TextAnalysis, wanted: readonly (readonly string[])[]): Float64Array {
  const { starts } = analysis;
  const scores = new Float64Array(starts.length);
  for (const terms of wanted) {
    let isFound = false;
    for (const term of terms) {
      const id = termId(analysis, term);
      if (id < 0) continue;
      isFound = true;
      const holders = listAt(analysis.holders, id);
      const idf = Math.log(1 + starts.length / holders.length);
      for (const sentence of holders) scores[sentence] = (scores[sentence] ?? 0) + idf;
    }
    if (isFound) break;
  }
  return scores;
}

/** Returns the whole sentences in a span, so that a sentence of which a part was told is told again. */
function wholeSentences({ start, end }: Span, { starts, ends }: TextAnalysis): Span[] {
  const first = starts.find((at) => at >= start);
  const last = ends.findLast((at) => at <= end);
  return first === undefined || last === undefined || last <= first ? [] : [{ start: first, end: last }];
}

/** Cuts the last of the spans, so that all fit with the gaps between them. */
function cutToLength(spans: readonly Span[], length: number): Span[] {
  let room = length;
  return spans.flatMap(({ start, end }) => {
    const cut = { start, end: Math.min(end, start + room) };
    room -= cut.end - start + GAP.length;
    return cut.end > start ? [cut] : [];
  });
}

export function textOfSpans(text: string, spans: readonly Span[]): string {
  return spans
    .map(({ start, end }) => text.slice(start, end).toWellFormed().trim())
    .filter((part) => part !== "")
    .join(GAP);
}
