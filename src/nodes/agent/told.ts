import type { Hit } from "../../domain/hit.ts";

/** From `start` to `end` (exclusive), in UTF-16 code units of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands in the conversation of the model: a part of a text, or the first lines of a source. */
export interface Told extends Span {
  /** The hash of the text; of first lines the id of their source, and they. */
  readonly of: string;
  /** The source under whose id it was shown. */
  readonly sourceId: string;
}

const FIRST_LINES_LENGTH = 400;

export function firstLinesOf({ snippet }: Pick<Hit, "snippet">): string {
  return snippet.replace(/\s+/g, " ").trim().slice(0, FIRST_LINES_LENGTH);
}

/** Records that the first lines of a source stand in the conversation. */
export function firstLinesTold(hit: Pick<Hit, "id" | "snippet">): Told {
  const lines = firstLinesOf(hit);
  return { of: `${hit.id} ${lines}`, sourceId: hit.id, start: 0, end: lines.length };
}

/** Sorts spans and joins those that overlap or meet. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Whether one of the joined spans `told` has all of a span. */
export function isWithin({ start, end }: Span, told: readonly Span[]): boolean {
  return told.some((one) => one.start <= start && end <= one.end);
}

/** Returns what of a span lies outside of the joined spans `told`. */
export function outside({ start, end }: Span, told: readonly Span[]): Span[] {
  const pieces: Span[] = [];
  let from = start;
  for (const one of told) {
    if (one.end <= from || one.start >= end) continue;
    if (one.start > from) pieces.push({ start: from, end: one.start });
    from = one.end;
  }
  return from < end ? [...pieces, { start: from, end }] : pieces;
}

export function toldOf(told: readonly Told[], of: string): Span[] {
  return joinSpans(told.filter((one) => one.of === of));
}
