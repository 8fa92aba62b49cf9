/** A persistent list: an older version stays valid after a change. A change copies one chunk, however long the list is. */
export interface Rows<T> {
  readonly size: number;
  readonly chunks: readonly (readonly T[])[];
}

const CHUNK = 64;

const EMPTY: Rows<never> = { size: 0, chunks: [] };

export function noRows<T>(): Rows<T> {
  return EMPTY;
}

export function append<T>({ size, chunks }: Rows<T>, row: T): Rows<T> {
  const last = size % CHUNK === 0 ? [] : (chunks.at(-1) ?? []);
  const before = size % CHUNK === 0 ? chunks : chunks.slice(0, -1);
  return { size: size + 1, chunks: [...before, [...last, row]] };
}

export function at<T>({ chunks }: Rows<T>, index: number): T | undefined {
  return chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
}

/** Returns the same list if the index does not exist. */
export function replace<T>(rows: Rows<T>, index: number, change: (row: T) => T): Rows<T> {
  const row = at(rows, index);
  if (row === undefined) return rows;
  const chunk = Math.floor(index / CHUNK);
  return { size: rows.size, chunks: rows.chunks.with(chunk, (rows.chunks[chunk] ?? []).with(index % CHUNK, change(row))) };
}

/** Copies the whole list, for tests and for views of short lists. */
export function toArray<T>({ chunks }: Rows<T>): T[] {
  return chunks.flat();
}
