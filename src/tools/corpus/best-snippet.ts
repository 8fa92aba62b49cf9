import { type Span, splitSentences } from "../../ranking/sentences.ts";
import { tokenize } from "../../ranking/tokenize.ts";
import { cutSpan } from "./split-sections.ts";

const SNIPPET_LENGTH = 300;

interface Piece extends Span {
  readonly found: readonly string[];
}

/**
 * The stretch of at most 300 code units that holds the most of `terms` (as `tokenize` cuts them), verbatim and trimmed:
 * whole sentences, except where one is longer than that. The earliest of several; the beginning where no term occurs.
 */
export function bestSnippet(text: string, terms: readonly string[]): string {
  const pieces = piecesOf(text, new Set(terms));
  let best = { start: 0, end: 0, score: -1 };
  for (const [first, { start }] of pieces.entries()) {
    const stretch = grow(pieces, first);
    if (stretch.score > best.score) best = { start, ...stretch };
  }
  return text.slice(best.start, best.end).trim();
}

function piecesOf(text: string, wanted: ReadonlySet<string>): Piece[] {
  const spans = splitSentences(text).flatMap((sentence) => cutSpan(text, sentence, SNIPPET_LENGTH));
  return spans.map((span) => ({ ...span, found: tokenize(text.slice(span.start, span.end)).filter((token) => wanted.has(token)) }));
}

/** As far as a snippet reaches that begins with piece `first`, and what it is worth: other terms above repeats. */
function grow(pieces: readonly Piece[], first: number): { end: number; score: number } {
  const start = pieces[first]?.start ?? 0;
  const seen = new Set<string>();
  let repeats = 0;
  let end = start;
  for (const piece of pieces.slice(first, first + SNIPPET_LENGTH)) {
    if (piece.end - start > SNIPPET_LENGTH) break;
    for (const token of piece.found) {
      if (seen.has(token)) repeats++;
      seen.add(token);
    }
    end = piece.end;
  }
  return { end, score: seen.size + Math.min(repeats, 99) / 100 };
}
