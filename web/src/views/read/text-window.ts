/** A half-open range of UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const PIECE = 2_000;
/** A marked range is shown whole, so it is bounded. Longer ones can only come from an edited address. */
export const MAX_MARK = 20_000;

/**
 * Returns where the pieces of a text start, for showing only some of them. They end at ends of lines or words where there are any, and never
 * within a surrogate pair or within `whole`. Linear in the length of the text.
 */
export function cutText(text: string, whole: Span | null, size = PIECE): number[] {
  const starts = [0];
  for (let at = nextCut(text, 0, whole, size); at < text.length; at = nextCut(text, at, whole, size)) starts.push(at);
  return starts;
}

function nextCut(text: string, from: number, whole: Span | null, size: number): number {
  const limit = from + size;
  if (limit >= text.length) return text.length;
  const piece = text.slice(from, limit);
  const lineEnd = piece.lastIndexOf("\n") + 1;
  const cut = lineEnd > 0 ? lineEnd : piece.lastIndexOf(" ") + 1;
  const at = from + (cut > 0 ? cut : size - (isHighSurrogate(piece.charCodeAt(size - 1)) ? 1 : 0));
  return whole !== null && whole.start < at && at < whole.end ? whole.end : at;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A half-open range of pieces. */
export interface Shown {
  readonly from: number;
  readonly to: number;
}

const BEFORE = 4;
const AFTER = 8;
const STEP = 8;
const MAX_SHOWN = 32;

/** Returns the pieces around an offset that are shown at first. */
export function firstShown(starts: readonly number[], offset: number): Shown {
  const after = starts.findIndex((start) => start > offset);
  const piece = (after < 0 ? starts.length : after) - 1;
  return { from: Math.max(0, piece - BEFORE), to: Math.min(starts.length, piece + AFTER) };
}

/** Shows more pieces at one end, and as many less at the other one as keeps their number bounded. */
export function showMore({ from, to }: Shown, direction: "up" | "down", count: number): Shown {
  if (direction === "up") {
    const first = Math.max(0, from - STEP);
    return { from: first, to: Math.min(to, first + MAX_SHOWN) };
  }
  const last = Math.min(count, to + STEP);
  return { from: Math.max(from, last - MAX_SHOWN), to: last };
}
