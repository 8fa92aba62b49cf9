/**
 * What a server gave for each of `count` texts, in the order of the texts; servers answer in any order. Null unless every index from
 * 0 to `count` - 1 was named exactly once, and nothing else.
 */
export function oneForEach<T>(count: number, answered: readonly { readonly index: number; readonly value: T }[]): T[] | null {
  const byIndex = new Map(answered.map(({ index, value }) => [index, value]));
  if (answered.length !== count || byIndex.size !== count) return null;
  const values = Array.from({ length: count }, (_, index) => byIndex.get(index));
  return values.every((value) => value !== undefined) ? values : null;
}
