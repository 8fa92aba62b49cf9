import type { Block } from "../../domain/document.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import { cutLongSpan, type Span, splitSentences, trimSpan } from "../../ranking/sentences.ts";

/** A stretch of a document that is shown to a model as a whole. */
export interface Piece extends Span {
  readonly reading: Reading;
  /** The nearest heading above, or empty. */
  readonly heading: string;
}

/** In letters; a character of Chinese, Japanese or Korean counts as two. */
const ENOUGH = 600;
const MOST = 1_200;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** The pieces of a document in order: whole blocks as far as that goes, long ones by their sentences; a heading begins a piece. */
export function cutPassages(reading: Reading): Piece[] {
  const { text, blocks } = reading.document;
  const pieces: Piece[] = [];
  let heading = "";
  /** The last piece may grow. */
  let open = false;
  for (const block of blocks.length > 0 ? blocks : [{ kind: "paragraph", start: 0, end: text.length, level: 0 } as const]) {
    if (block.kind === "heading") {
      heading = text.slice(block.start, block.end).replace(/^#+\s*/, "");
      open = false;
    }
    for (const span of spansOf(text, block)) {
      const last = pieces.at(-1);
      const joined = { start: last?.start ?? 0, end: span.end };
      if (open && last !== undefined && weightOf(text, joined) <= MOST) pieces[pieces.length - 1] = { ...last, end: span.end };
      else pieces.push({ reading, heading, ...span });
      const grown = pieces.at(-1) ?? span;
      open = block.kind === "heading" || weightOf(text, grown) < ENOUGH;
    }
  }
  return pieces.filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
}

function spansOf(text: string, block: Block): Span[] {
  const whole = trimSpan(text, { start: block.start, end: Math.min(block.end, text.length) });
  if (whole.end <= whole.start) return [];
  if (weightOf(text, whole) <= MOST) return [whole];
  return splitSentences(text, whole.start, whole.end).flatMap((sentence) => cutLongSpan(text, sentence, MOST / 2));
}

function weightOf(text: string, { start, end }: Span): number {
  // Without counting: below a half nothing is too much, above the whole everything is.
  if (end - start > MOST || end - start < ENOUGH / 2) return end - start;
  return end - start + (text.slice(start, end).match(WIDE)?.length ?? 0);
}
