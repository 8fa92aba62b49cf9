/** A text in parts of so many code points; none for an empty text. */
export function piecesOf(words: string, length: number): string[] {
  const points = [...words];
  return Array.from({ length: Math.ceil(points.length / length) }, (_, at) => points.slice(at * length, (at + 1) * length).join(""));
}
