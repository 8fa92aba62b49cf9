// Worker threads run this file for corpus.ts.
import { CorpusIndex, type FileQuery, type FoundFile } from "./corpus-index.ts";
import type { IndexedFile } from "./index-entry.ts";
import { isDatabaseError } from "./index-file.ts";

export interface IndexPlace {
  readonly file: string;
  readonly dir: string;
  /** Differs after the file was replaced. */
  readonly generation: number;
}

export type IndexAnswer<T> = { readonly value: T } | { readonly code: string; readonly message: string };

/** A task that meets a lock for longer is given back, because other tasks need the thread. In milliseconds. */
const BUSY_MS = 1_000;

let opened: (IndexPlace & { readonly index: CorpusIndex }) | null = null;

export function find({ query, ...place }: IndexPlace & { readonly query: FileQuery }): IndexAnswer<FoundFile[]> {
  return answer(place, (index) => index.find(query));
}

export function put({ entry, ...place }: IndexPlace & { readonly entry: IndexedFile }): IndexAnswer<void> {
  return answer(place, (index) => index.put(entry));
}

export function remove({ path, ...place }: IndexPlace & { readonly path: string }): IndexAnswer<void> {
  return answer(place, (index) => index.remove(path));
}

export function emptyLog(place: IndexPlace): IndexAnswer<void> {
  return answer(place, (index) => index.emptyLog());
}

/** Database errors lose their class between threads, so they are returned and not thrown. */
function answer<T>(place: IndexPlace, work: (index: CorpusIndex) => T): IndexAnswer<T> {
  try {
    return { value: work(open(place)) };
  } catch (error) {
    if (isDatabaseError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

function open(place: IndexPlace): CorpusIndex {
  if (opened?.generation === place.generation) return opened.index;
  opened?.index.close();
  opened = null;
  opened = { ...place, index: new CorpusIndex(place.file, place.dir, { create: false, openingMs: BUSY_MS, busyMs: BUSY_MS }) };
  return opened.index;
}
