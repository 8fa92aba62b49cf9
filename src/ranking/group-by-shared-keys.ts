/** Groups items that share a key, directly or through other items. Returns for each item the index of the first item in its group. */
export function groupBySharedKeys(keysOfItems: readonly (readonly string[])[]): number[] {
  const parents = keysOfItems.map((_, i) => i);
  const parentOf = (item: number): number => parents[item] ?? item;
  const rootOf = (item: number): number => {
    let root = item;
    for (; parentOf(root) !== root; root = parentOf(root)) parents[root] = parentOf(parentOf(root));
    return root;
  };
  const firstWith = new Map<string, number>();
  for (const [item, keys] of keysOfItems.entries()) {
    for (const key of keys) {
      const [a, b] = [rootOf(firstWith.get(key) ?? item), rootOf(item)];
      parents[Math.max(a, b)] = Math.min(a, b);
      if (!firstWith.has(key)) firstWith.set(key, item);
    }
  }
  return keysOfItems.map((_, item) => rootOf(item));
}
