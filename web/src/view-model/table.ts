/** A persistent map from texts to values. A change copies one of its 64 buckets. Keys may be any text, such as `__proto__`. */
export interface Table<V> {
  readonly size: number;
  readonly buckets: readonly ReadonlyMap<string, V>[];
}

const BUCKETS = 64;

const EMPTY: Table<never> = { size: 0, buckets: Array.from({ length: BUCKETS }, () => new Map<string, never>()) };

export function noEntries<V>(): Table<V> {
  return EMPTY;
}

export function get<V>({ buckets }: Table<V>, key: string): V | undefined {
  return buckets[bucketOf(key)]?.get(key);
}

export function set<V>({ size, buckets }: Table<V>, key: string, value: V): Table<V> {
  const index = bucketOf(key);
  const bucket = buckets[index] ?? new Map();
  return { size: bucket.has(key) ? size : size + 1, buckets: buckets.with(index, new Map(bucket).set(key, value)) };
}

export function remove<V>(table: Table<V>, key: string): Table<V> {
  const index = bucketOf(key);
  const bucket = new Map(table.buckets[index]);
  return bucket.delete(key) ? { size: table.size - 1, buckets: table.buckets.with(index, bucket) } : table;
}

/** In no particular order. */
export function valuesOf<V>({ buckets }: Table<V>): V[] {
  return buckets.flatMap((bucket) => [...bucket.values()]);
}

const HASHED_CHARACTERS = 64;

function bucketOf(key: string): number {
  let hash = 0;
  for (let index = 0; index < Math.min(key.length, HASHED_CHARACTERS); index += 1) hash = (hash * 31 + key.charCodeAt(index)) | 0;
  return (hash >>> 0) % BUCKETS;
}
