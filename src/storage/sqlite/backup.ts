import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { DossierError, toDossierError } from "../../errors.ts";
import { makeDatabasePrivate, makeFolderPrivate } from "../../util/private-files.ts";
import { unknownMigrations } from "../schema.ts";
import { makeFolder } from "./data-folder.ts";

export interface BackupContents {
  readonly runs: number;
  /** Runs that had not ended. */
  readonly unfinished: number;
  readonly documents: number;
  /** Keys that were valid then; after a restore they are valid again. */
  readonly keys: number;
  readonly bytes: number;
}

const DATABASE = "dossier.sqlite";
/** Another program may write to the database, but not lock it for longer. */
const BUSY_MS = 30_000;

/**
 * Writes the runs and documents of a data folder into a new file, also while a service uses the folder: it has everything that was stored
 * when the copy began. Blocks until it is done.
 * @throws DossierError `invalid_request`, `storage_damaged`
 */
export function backUpTo(file: string, dataDir: string): BackupContents {
  const source = join(dataDir, DATABASE);
  if (!existsSync(source)) throw refused(`There is no database in the data folder ${dataDir}. Set DATA_DIR`);
  if (existsSync(file)) throw refused(`${file} exists already, and was left as it is. Name a new file`);
  return writeWhole(file, (partial) => {
    const database = new Database(source, { readonly: true, timeout: BUSY_MS });
    try {
      database.prepare("vacuum into ?").run(partial);
    } finally {
      database.close();
    }
    return contentsOf(partial);
  });
}

/** Puts a backup into a data folder that is new or empty. @throws DossierError `invalid_request`, `storage_damaged` */
export function restoreFrom(file: string, dataDir: string): BackupContents {
  if (!existsSync(file)) throw refused(`There is no file ${file}`);
  makeFolder(dataDir);
  if (readdirSync(dataDir).length > 0)
    throw refused(`The data folder ${dataDir} is not empty, and was left as it is. Move its files away, or set DATA_DIR to another folder`);
  makeFolderPrivate(dataDir);
  return writeWhole(join(dataDir, DATABASE), (partial) => {
    copyFileSync(file, partial);
    return contentsOf(partial);
  });
}

/** Whatever goes wrong, there is no file of this name before it is whole and on the disk. */
function writeWhole(file: string, write: (partial: string) => BackupContents): BackupContents {
  const partial = `${file}.partial`;
  try {
    rmSync(partial, { force: true });
    makeDatabasePrivate(partial);
    const contents = write(partial);
    sync(partial);
    renameSync(partial, file);
    return contents;
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw refused(`${file} could not be written (${toDossierError(error).message}), so there is none`, error);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
  }
}

/** Reads every page. */
function contentsOf(file: string): BackupContents {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true });
    const isWhole = database.pragma("quick_check(1)", { simple: true });
    if (isWhole !== "ok") throw new Error(String(isWhole));
    const newer = unknownMigrations(database.prepare("select name from kysely_migration").pluck().all() as string[]);
    if (newer.length > 0)
      throw refused(`The backup was written by a newer version of Dossier (${newer.join(", ")}). Update this one, and try again`);
    const count = (what: string): number => database?.prepare(`select count(*) from ${what}`).pluck().get() as number;
    const unfinished = count("runs where status in ('queued', 'running', 'waiting')");
    const keys = count("sqlite_schema where name = 'keys'") === 0 ? 0 : count("keys where parent is null and revoked_at is null");
    return { runs: count("runs"), unfinished, documents: count("documents"), keys, bytes: statSync(file).size };
  } catch (error) {
    if (error instanceof DossierError) throw error;
    const message = `The database is damaged, or none of Dossier (${toDossierError(error).message}). Nothing was kept of it. Use another backup.`;
    throw new DossierError("storage_damaged", message, { cause: error });
  } finally {
    database?.close();
  }
}

function refused(what: string, cause?: unknown): DossierError {
  return new DossierError("invalid_request", `${what}.`, { cause });
}

function sync(path: string): void {
  const opened = openSync(path, "r");
  fsyncSync(opened);
  closeSync(opened);
}
