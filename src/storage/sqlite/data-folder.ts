import { accessSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
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
  /** `full`: without a file for the index of the log. `copy`: nothing that is written would be kept. */
  readonly mode: "normal" | "full" | "copy";
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
  if (existsSync(file) && !(isWritable(dataDir) && isWritable(file))) return openCopy(dataDir, migrate);
  const lock = lockFolder(dataDir);
  let opened: Opened | undefined;
  const close = (): void => {
    opened?.raw.close();
    lock.close();
  };
  try {
    opened = openFile(file, busyMs);
    const { raw, mode } = opened;
    if (mode === "normal") confirmLock(raw, dataDir, busyMs);
    await migrate(raw);
    makeShrinkable(raw);
    raw.pragma(`busy_timeout = ${BUSY_MS}`);
    return { raw, mode, close };
  } catch (error) {
    close();
    if (error instanceof DossierError && error.code === "data_dir_in_use") throw error;
    if (hasCode(error instanceof DossierError ? error.cause : error, "SQLITE_BUSY")) throw locked(file, busyMs, error);
    throw unusable(`The database ${file} cannot be opened`, error, "Put a backup in its place, move it away to begin without runs");
  }
}

type Opened = Pick<OpenedDatabase, "raw" | "mode">;

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
    return { raw: open("NORMAL"), mode: "normal" };
  } catch (error) {
    if (!FULL.some((code) => hasCode(error, code))) throw error;
    return { raw: open("EXCLUSIVE"), mode: "full" };
  }
}

/** Opens a copy, because SQLite cannot read a database with a write-ahead log in a folder that it cannot write. */
async function openCopy(dataDir: string, migrate: Migrate): Promise<OpenedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "dossier-read-only-"));
  let raw: Database.Database | undefined;
  const close = (): void => {
    raw?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    assertUnlocked(dataDir);
    for (const name of ["dossier.sqlite", "dossier.sqlite-wal"])
      if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(folder, name), constants.COPYFILE_FICLONE);
    raw = openFile(join(folder, "dossier.sqlite"), OPENING_BUSY_MS).raw;
    await migrate(raw);
    return { raw, mode: "copy", close };
  } catch (error) {
    close();
    if (error instanceof DossierError && error.code === "data_dir_in_use") throw error;
    throw unusable(`The data folder ${dataDir} cannot be written, and no copy of it can be read`, error, "Let this user write there");
  }
}

function assertUnlocked(dataDir: string): void {
  const file = join(dataDir, "lock.sqlite");
  if (!existsSync(file)) return;
  const lock = new Database(file, { readonly: true, timeout: 0 });
  try {
    lock.prepare("select count(*) from sqlite_schema").get();
  } catch (error) {
    if (hasCode(error, "SQLITE_BUSY")) throw inUse(dataDir, error);
  } finally {
    lock.close();
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
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

/** Rewrites a database of an older version once, so that deleted data frees disk space. A full disk leaves it as it is. */
function makeShrinkable(raw: Database.Database): void {
  const INCREMENTAL = 2;
  if (raw.pragma("auto_vacuum", { simple: true }) === INCREMENTAL) return;
  try {
    raw.pragma("auto_vacuum = INCREMENTAL");
    raw.exec("vacuum");
  } catch (error) {
    if (!hasCode(error, "SQLITE_FULL")) throw error;
  }
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

/**
 * The lock counts only if it is the file that the last user of the database held: somebody may have deleted or replaced the lock of a
 * process that still runs. Otherwise asks SQLite for the database alone. @throws DossierError `data_dir_in_use`, SqliteError `SQLITE_BUSY`
 */
function confirmLock(raw: Database.Database, dataDir: string, busyMs: number): void {
  const held = Number(BigInt.asIntN(32, statSync(join(dataDir, "lock.sqlite"), { bigint: true }).ino));
  if (raw.pragma("user_version", { simple: true }) === held) return;
  // Waits for a program that only writes, so that what fails below is a process that keeps the database open.
  raw.exec("begin immediate; rollback");
  raw.pragma(`busy_timeout = ${BUSY_MS}`);
  // The connection has used the log before the exclusive mode, so it can leave that mode.
  raw.pragma("locking_mode = EXCLUSIVE");
  try {
    raw.pragma(`user_version = ${held}`);
  } catch (error) {
    if (hasCode(error, "SQLITE_BUSY")) throw inUse(dataDir, error);
    if (!hasCode(error, "SQLITE_FULL")) throw error;
  }
  raw.pragma("locking_mode = NORMAL");
  raw.prepare("select count(*) from sqlite_schema").get();
  raw.pragma(`busy_timeout = ${busyMs}`);
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
