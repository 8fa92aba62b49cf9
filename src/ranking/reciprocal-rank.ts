/** The constant of reciprocal rank fusion, of Cormack, Clarke and Büttcher 2009. */
export const RRF_K = 60;

/** The place of each score, from 1: one more than there are higher ones. */
export function placesOf(scores: readonly number[]): Map<number, number> {
  const sorted = scores.toSorted((a, b) => b - a);
  return new Map(sorted.map((score, i) => [score, i + 1] as const).reverse());
}
