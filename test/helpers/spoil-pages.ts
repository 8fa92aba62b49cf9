import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Overwrites the pages of a table or an index in the closed data folder of `openDossier`. */
export function spoilPages(dir: string, name: string): void {
  const file = join(dir, "data", "dossier.sqlite");
  const database = new Database(file);
  database.pragma("wal_checkpoint(truncate)");
  const pages = database.prepare("select pageno from dbstat where name = ?").pluck().all(name) as number[];
  const size = Number(database.pragma("page_size", { simple: true }));
  database.close();
  if (pages.length === 0) throw new Error(`${name} has no pages`);
  const descriptor = openSync(file, "r+");
  for (const page of pages) writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(descriptor);
}
