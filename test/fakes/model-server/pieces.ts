/** Splits a text into pieces of this many code points; an empty text has none. */
export function piecesOf(words: string, length: number): string[] {
  const points = [...words];
  return Array.from({ length: Math.ceil(points.length / length) }, (_, at) => points.slice(at * length, (at + 1) * length).join(""));
}
