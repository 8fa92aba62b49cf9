import type { Marker } from "./markers.ts";

/** Where in the text without markers a marker stood. */
export interface Anchor {
  readonly at: number;
  readonly marker: Marker;
}

export interface Unmarked {
  readonly text: string;
  readonly anchors: readonly Anchor[];
  /** Where in the original the text before `offset` ends. */
  originalEnd(offset: number): number;
}

/** `text` without its markers, and without the white space that would stay behind. */
export function withoutMarkers(text: string, markers: readonly Marker[]): Unmarked {
  const pieces: { at: number; from: number }[] = [];
  const anchors: Anchor[] = [];
  const kept: string[] = [];
  let length = 0;
  let last = "";
  const keep = (piece: string, from: number): void => {
    if (piece === "") return;
    pieces.push({ at: length, from });
    kept.push(piece);
    length += piece.length;
    last = piece.slice(-1);
  };
  let from = 0;
  for (const marker of markers) {
    keep(text.slice(from, marker.start).replace(/(?<!^|[\n>|])[^\S\n]+$/, ""), from);
    anchors.push({ at: length, marker });
    from = marker.end;
    const next = text.charAt(from);
    const atLineStart = last === "" || last === "\n";
    if (atLineStart) from += /^[^\S\n]*/.exec(text.slice(from, from + 8))?.[0].length ?? 0;
    else if (/[\p{sc=Latin}\p{N}.!?]/u.test(last) && /[\p{L}\p{N}]/u.test(next)) keep(" ", from);
  }
  keep(text.slice(from), from);
  return { text: kept.join(""), anchors, originalEnd: (offset) => originalEnd(pieces, offset) };
}

function originalEnd(pieces: readonly { at: number; from: number }[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieces[middle]?.at ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  return piece === undefined ? 0 : piece.from + offset - piece.at;
}
