import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type BetterSqlite from "better-sqlite3";
import { sql } from "kysely";
import type { RunStore } from "../../domain/ports/run-store.ts";
import { DossierError } from "../../errors.ts";
import { change, type Database } from "../database.ts";

/** 1 MiB of SQLite's usual pages: a step of less than 10 ms. */
const PAGES_AT_ONCE = 256;

export type DataSpace = Pick<RunStore, "bytes" | "lastingBytes" | "freeSpace">;

interface DataSpaceParts {
  readonly raw: BetterSqlite.Database;
  readonly database: Database;
  readonly dataDir: string;
  /** Empties the write-ahead log when nothing is written. The database file shrinks only then. */
  readonly emptyLog: () => void;
}

/** Measures what the data folder takes, and gives the space of deleted data back to the disk. */
export function createDataSpace({ raw, database, dataDir, emptyLog }: DataSpaceParts): DataSpace {
  const pragma = (name: string): number => Number(raw.pragma(name, { simple: true }));
  const freePages = (): number => pragma("freelist_count");
  return {
    bytes: async () => bytesIn(dataDir),
    lastingBytes: async () => (pragma("page_count") - freePages()) * pragma("page_size"),
    async freeSpace(signal) {
      let pages = freePages();
      if (pages === 0) return;
      for (let before = Infinity; pages > 0 && pages < before && !signal.aborted; ) {
        before = pages;
        await database.write((tx) => change(tx, sql.raw(`pragma incremental_vacuum(${PAGES_AT_ONCE})`)));
        pages = freePages();
      }
      emptyLog();
    },
  };
}

/** Leaves out folders, and files that vanish meanwhile. @throws DossierError `storage_unavailable` */
export function bytesIn(folder: string): number {
  const files = entriesOf(folder).filter((entry) => entry.isFile());
  return files.reduce((sum, { name }) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw new DossierError("storage_unavailable", `The data folder ${folder} cannot be read. Bring it back, or restart the server.`, {
      cause,
    });
  }
}
