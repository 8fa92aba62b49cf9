/** Sets of 32-bit hashes in ascending order. They take a tenth of the memory of sets of strings, and two are compared in one pass. */
export type HashedSet = Uint32Array;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/) of the UTF-16 code units, 32 bits. `before` is the hash of what precedes. */
export function hashOf(text: string, before = FNV_OFFSET): number {
  let hash = before;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
}

export function toHashedSet(hashes: Iterable<number>): HashedSet {
  return Uint32Array.from(new Set(hashes)).sort();
}

/** Returns the pairs of neighbors; of a single term, the term itself. */
export function shingles(terms: readonly string[]): HashedSet {
  if (terms.length < 2) return toHashedSet(terms.map((term) => hashOf(term)));
  const pairs = new Set<number>();
  let before = hashOf(`${terms[0]} `);
  for (const term of terms.slice(1)) {
    pairs.add(hashOf(term, before));
    before = hashOf(`${term} `);
  }
  return toHashedSet(pairs);
}

export function has(set: HashedSet, hash: number): boolean {
  let [from, to] = [0, set.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((set[middle] ?? 0) < hash) from = middle + 1;
    else to = middle;
  }
  return set[from] === hash;
}

export function commonCount(a: HashedSet, b: HashedSet): number {
  let [i, j, common] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) common++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return common;
}

/** Returns |A ∩ B| / min(|A|, |B|), from 0 to 1; 0 if either is empty. */
export function containment(a: HashedSet, b: HashedSet): number {
  const common = commonCount(a, b);
  return common === 0 ? 0 : common / Math.min(a.length, b.length);
}

/** Returns whether the containment is at least `share`, which must be above 0. Ends where it can no longer be. */
export function isContained(a: HashedSet, b: HashedSet, share: number): boolean {
  const [small, large] = a.length <= b.length ? [a, b] : [b, a];
  let [at, missing] = [0, 0];
  for (const hash of small) {
    while (at < large.length && (large[at] ?? 0) < hash) at++;
    if (large[at] === hash) continue;
    missing++;
    if ((small.length - missing) / small.length < share) return false;
  }
  return small.length > 0;
}
