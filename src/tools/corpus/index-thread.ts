// Worker threads run this file for corpus.ts.
import { CorpusIndex, type FileQuery, type FoundFile, type IndexPlace } from "./corpus-index.ts";
import { isDatabaseError } from "./index-schema.ts";
import type { IndexedFile, ListedFile } from "./sync-corpus.ts";

export type IndexTask = object & { readonly place: IndexPlace };

export type IndexAnswer<T> = { readonly value: T } | { readonly message: string };

const TASKS = {
  find: (index: CorpusIndex, { query }: { readonly query: FileQuery }): FoundFile[] => index.find(query),
  put: (index: CorpusIndex, { entry }: { readonly entry: IndexedFile }): void => index.put(entry),
  touch: (index: CorpusIndex, { file }: { readonly file: ListedFile }): void => index.touch(file),
  remove: (index: CorpusIndex, { path }: { readonly path: string }): void => index.remove(path),
};
export type IndexTasks = typeof TASKS;

let opened: { readonly id: string; readonly index: CorpusIndex } | null = null;

function open({ id, file, dir }: IndexPlace): CorpusIndex {
  if (opened?.id === id) return opened.index;
  opened?.index.close();
  opened = null;
  opened = { id, index: new CorpusIndex(file, dir) };
  return opened.index;
}

/** Database errors lose their class between threads, so they are returned and not thrown. */
function inIndex<Task, T>(work: (index: CorpusIndex, task: Task) => T) {
  return ({ place, ...task }: Task & IndexTask): IndexAnswer<T> => {
    try {
      return { value: work(open(place), task as Task) };
    } catch (error) {
      if (isDatabaseError(error)) return { message: error.message };
      throw error;
    }
  };
}

export const find = inIndex(TASKS.find);
export const put = inIndex(TASKS.put);
export const touch = inIndex(TASKS.touch);
export const remove = inIndex(TASKS.remove);
