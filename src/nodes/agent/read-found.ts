import { listAt, type TextAnalysis, termId } from "../../domain/analysis.ts";
import { documentsOfDepth } from "../../domain/depth.ts";
import { readQueries } from "../../domain/queries.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { finishInTurns, type LongWork } from "../../util/turns.ts";
import type { ReadDeps } from "../executor/download.ts";
import { loadAnalyzed } from "../shared/sources.ts";
import { type ActionResult, type ReadingRound, readShown } from "./search-and-read.ts";

/** In UTF-16 code units, of each document. */
const MAX_PLACES = 1_600;
const WINDOW = 800;

/**
 * Reads the best of what a search found, as many as the depth of the run reads, and shows the places that fit the queries best. For a run
 * that has no call left to ask for a document.
 */
export async function readFound(found: ActionResult, input: unknown, deps: ReadDeps, round: ReadingRound): Promise<ActionResult> {
  const { state, effects } = round;
  if (!found.ok) return found;
  const hits = (found.shown ?? found.findings.hits).slice(0, documentsOfDepth(state.task));
  const reads = (await Promise.all(hits.map((hit) => readShown(hit, deps, round)))).flatMap((one, i) => {
    const hit = hits[i];
    return one === null || hit === undefined ? [] : [{ ...one, hit }];
  });
  const queries = readQueries(input).map(({ text }) => text);
  const terms = queryTerms([state.task.question, ...queries].join("\n"));
  const places = new Map<string, string>();
  for (const { hit, contentHash, isSnippet } of reads) {
    if (contentHash === null || isSnippet) continue;
    const { text, analysis } = await loadAnalyzed(contentHash, deps.documents, effects);
    places.set(hit.id, await finishInTurns(bestPlaces(text, analysis, terms), effects.signal));
  }
  const said = places.size === 0 ? "" : ` Read: ${places.size}; the places that fit best follow.`;
  return {
    ...found,
    findings: { ...found.findings, text: `${found.findings.text}${said}` },
    places,
    reads: reads.flatMap(({ entries }) => entries),
    readings: reads.flatMap(({ readings }) => readings),
    downloads: reads.reduce((sum, { downloads }) => sum + downloads, 0),
  };
}

/** Returns the text around the sentences with the most and rarest of the terms, or the beginning if no sentence has one. */
export function* bestPlaces(text: string, analysis: TextAnalysis, terms: readonly string[]): LongWork<string> {
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
  while (spans.length < MAX_PLACES / WINDOW) {
    const best = scores.reduce((found, score, sentence) => (score > (scores[found] ?? 0) ? sentence : found), -1);
    if (best < 0) break;
    const from = starts[best] ?? 0;
    // Most of the window is for what follows the sentence.
    const start = starts.find((at) => at >= from - WINDOW / 4) ?? from;
    const end = Math.max(start + WINDOW, Math.min(ends[best] ?? 0, start + MAX_PLACES));
    spans.push({ start, end });
    for (const [sentence, at] of starts.entries()) if (at >= start && at < end) scores[sentence] = 0;
    yield;
  }
  if (spans.length === 0) spans.push({ start: 0, end: WINDOW });
  return joinSpans(spans)
    .map(({ start, end }) => text.slice(start, end).trim())
    .join(" […] ")
    .slice(0, MAX_PLACES)
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
