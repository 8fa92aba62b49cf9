import { type AnalyzedDocument, rowsAbove } from "../domain/analysis.ts";
import type { Block } from "../domain/document.ts";
import type { Reading } from "../domain/ports/analyst.ts";
import { firstIndex } from "../evidence/first-index.ts";
import { blocksOf } from "../ranking/analyze-text.ts";
import { type Span, trimSpan } from "../ranking/sentences.ts";

export interface Piece extends Span {
  readonly reading: Reading;
  readonly heading: string;
}

/** In characters. A `WIDE` character counts as two. */
const MAX_HEADING = 300;
const MIN_PIECE = 600;
const MAX_PIECE = 1_200;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** Cuts a document into pieces of whole blocks, long blocks by sentence; a heading begins a piece. */
export function cutPassages(reading: Reading): Piece[] {
  const { document } = reading;
  const { text, analysis } = document;
  const pieces: Piece[] = [];
  let heading = "";
  let weight = Number.POSITIVE_INFINITY;
  let sentence = 0;
  for (const [index, block] of blocksOf(document).entries()) {
    const first = sentence;
    while (analysis.blocks[sentence] === index) sentence++;
    if (block.kind === "heading") {
      heading = text.slice(block.start, Math.min(block.end, block.start + MAX_HEADING)).replace(/^#+\s*/, "");
      weight = Number.POSITIVE_INFINITY;
    }
    for (const span of spansOf(document, block, first, sentence)) {
      const last = pieces.at(-1);
      const added = weightOf(text, { start: weight > MAX_PIECE ? span.start : (last?.end ?? 0), end: span.end });
      if (last !== undefined && weight + added <= MAX_PIECE) {
        pieces[pieces.length - 1] = { ...last, end: span.end };
        weight += added;
      } else {
        pieces.push({ reading, heading, ...span });
        weight = weightOf(text, span);
      }
      if (block.kind !== "heading" && weight >= MIN_PIECE) weight = Number.POSITIVE_INFINITY;
    }
  }
  return pieces.filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
}

/** Yields a short block as a whole, a long one by the sentences of its analysis. */
function* spansOf({ text, analysis }: Reading["document"], block: Block, from: number, to: number): Generator<Span> {
  const whole = trimSpan(text, { start: block.start, end: Math.min(block.end, text.length) });
  if (whole.end <= whole.start) return;
  if (weightOf(text, whole) <= MAX_PIECE) return yield whole;
  for (let at = from; at < to; at++) yield { start: analysis.starts[at] ?? 0, end: analysis.ends[at] ?? 0 };
}

/** More than `MAX_PIECE` means too long, whatever the number. */
function weightOf(text: string, { start, end }: Span): number {
  if (end - start > MAX_PIECE) return end - start;
  return end - start + (text.slice(start, end).match(WIDE)?.length ?? 0);
}

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
