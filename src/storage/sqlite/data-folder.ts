import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { DossierError } from "../../errors.ts";
import { adviceFor } from "../../util/file-advice.ts";
import { makeDatabasePrivate, makeFolderPrivate } from "../../util/private-files.ts";
import { hasCode } from "./sqlite-errors.ts";

/** While the database is opened. */
const OPENING_BUSY_MS = 5_000;
/** Afterwards: SQLite blocks the event loop while it waits for a lock, so the write queue waits instead. */
const BUSY_MS = 0;
const CHECKPOINT_PAGES = 4_000;
/** Runs read little of what is older than themselves. The default of the driver is 16,000. */
const CACHE_KIB = 4_000;
const FULL = ["SQLITE_FULL", "SQLITE_IOERR_SHM", "SQLITE_IOERR_WRITE"];

export interface OpenedDatabase {
  readonly raw: Database.Database;
  /** Whether the disk was full, so that only this connection can use the database. */
  readonly isAlone: boolean;
  close(): void;
}

/** Brings a database to the schema of this version. */
type Migrate = (raw: Database.Database) => Promise<void>;

/**
 * Opens `dossier.sqlite` and locks the folder until `close` or exit. Waits up to `busyMs` while another program writes to the database.
 * @throws DossierError `data_dir_in_use`, `config_invalid`, or `storage_unavailable` if that program has not ended its write
 */
export async function openDataFolder(dataDir: string, migrate: Migrate, busyMs = OPENING_BUSY_MS): Promise<OpenedDatabase> {
  const file = join(dataDir, "dossier.sqlite");
  const lock = lockFolder(dataDir);
  let opened: Opened | undefined;
  const close = (): void => {
    opened?.raw.close();
    lock.close();
  };
  try {
    opened = openFile(file, busyMs);
    await migrate(opened.raw);
    opened.raw.pragma(`busy_timeout = ${BUSY_MS}`);
    return { ...opened, close };
  } catch (error) {
    close();
    if (error instanceof DossierError && error.code === "data_dir_in_use") throw error;
    if (hasCode(error instanceof DossierError ? error.cause : error, "SQLITE_BUSY")) throw locked(file, busyMs, error);
    throw unusable(`The database ${file} cannot be opened`, error, "Put a backup in its place, move it away to begin without runs");
  }
}

type Opened = Pick<OpenedDatabase, "raw" | "isAlone">;

/** A full disk has no room for the index of the write-ahead log. In exclusive mode, SQLite keeps that index in memory. */
function openFile(file: string, timeout: number): Opened {
  const open = (locking: "NORMAL" | "EXCLUSIVE"): Database.Database => {
    makeDatabasePrivate(file);
    const raw = new Database(file, { timeout });
    try {
      raw.pragma(`locking_mode = ${locking}`);
      // Before the first table is created. It would be written again each time, for which a full disk has no room.
      if (raw.pragma("page_count", { simple: true }) === 0) raw.pragma("auto_vacuum = INCREMENTAL");
      setPragmas(raw);
      raw.prepare("select count(*) from sqlite_schema").get();
      return raw;
    } catch (error) {
      raw.close();
      throw error;
    }
  };
  try {
    return { raw: open("NORMAL"), isAlone: false };
  } catch (error) {
    if (!FULL.some((code) => hasCode(error, code))) throw error;
    return { raw: open("EXCLUSIVE"), isAlone: true };
  }
}

/** With these settings, a commit survives a crash of the process. A power failure can lose the last commits. */
export function setPragmas(raw: Database.Database): void {
  raw.pragma("journal_mode = WAL");
  raw.pragma("synchronous = NORMAL");
  raw.pragma("foreign_keys = ON");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  raw.pragma(`cache_size = -${CACHE_KIB}`);
}

/** Makes the folder and locks it until `close` of the result, or exit. @throws DossierError `data_dir_in_use`, `config_invalid` */
export function lockFolder(dataDir: string): Database.Database {
  const file = join(dataDir, "lock.sqlite");
  let lock: Database.Database | undefined;
  try {
    makeFolder(dataDir);
    makeFolderPrivate(dataDir);
    makeDatabasePrivate(file);
    lock = new Database(file, { timeout: 0 });
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("begin exclusive; commit");
    return lock;
  } catch (error) {
    lock?.close();
    if (hasCode(error, "SQLITE_BUSY")) throw inUse(dataDir, error);
    if (hasCode(error, "SQLITE_NOTADB")) throw unusable(`The lock ${file} is damaged`, error, "Delete this one file, which holds no data");
    throw unusable(`The data folder ${dataDir} cannot be written`, error, "Let this user write there");
  }
}

function inUse(dataDir: string, cause: unknown): DossierError {
  return new DossierError("data_dir_in_use", `Another process uses the data folder ${dataDir}. Stop it, or set DATA_DIR.`, { cause });
}

function locked(file: string, busyMs: number, cause: unknown): DossierError {
  const what = `Another program has locked ${file} for more than ${busyMs / 1_000} s, for example a backup or an open SQLite shell`;
  return new DossierError("storage_unavailable", `${what}. Nothing was changed. End that program, or start again when it has ended.`, {
    cause,
  });
}

function unusable(what: string, error: unknown, advice: string): DossierError {
  const cause = error instanceof DossierError ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = `Nothing was changed. ${adviceFor(cause) ?? advice}, or set DATA_DIR to another folder.`;
  return new DossierError("config_invalid", `${what}: ${reason}. ${remedy}`, { cause: error });
}

/** Node's `recursive` option never returns if the file system refuses the folder, for example below /proc. */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const at of missing) {
    try {
      mkdirSync(at, 0o700);
    } catch (error) {
      if (!statSync(at, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error("it is not a folder"), { code: "ENOTDIR" });
}
