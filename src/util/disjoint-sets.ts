/** Groups of the numbers 0 to size - 1 that grow together (union-find); a group is named by its smallest member. */
export interface DisjointSets {
  join(a: number, b: number): void;
  /** The smallest member of the group of `item`. */
  find(item: number): number;
}

export function createDisjointSets(size: number): DisjointSets {
  const parents = Array.from({ length: size }, (_, i) => i);
  const find = (item: number): number => {
    let root = item;
    for (let parent = parents[root]; parent !== undefined && parent !== root; parent = parents[root]) root = parent;
    for (let step = item; step !== root; ) {
      const next = parents[step] ?? root;
      parents[step] = root;
      step = next;
    }
    return root;
  };
  return {
    find,
    join(a, b) {
      const [left, right] = [find(a), find(b)];
      parents[Math.max(left, right)] = Math.min(left, right);
    },
  };
}

/** For each item the index of the first item it shares a key with, by whatever chain of others; its own where none does. */
export function groupBySharedKeys(keysOfItems: readonly (readonly string[])[]): number[] {
  const sets = createDisjointSets(keysOfItems.length);
  const firstWith = new Map<string, number>();
  for (const [item, keys] of keysOfItems.entries()) {
    for (const key of keys) {
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, item);
      else sets.join(first, item);
    }
  }
  return keysOfItems.map((_, item) => sets.find(item));
}
