import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { DossierError } from "../errors.ts";
import { adviceFor } from "../util/file-advice.ts";
import { migrate } from "./schema.ts";

/** While the database is opened. */
const OPENING_BUSY_MS = 5_000;
/** Afterwards: SQLite blocks the event loop while it waits for a lock, so the write queue waits instead. */
const BUSY_MS = 0;
const CHECKPOINT_PAGES = 4_000;

/** Opens `dossier.sqlite` and locks the folder until `close` or exit. @throws DossierError `data_dir_in_use`, `config_invalid` */
export async function openDatabase(dataDir: string): Promise<{ raw: Database.Database; close: () => void }> {
  const file = join(dataDir, "dossier.sqlite");
  const lockFile = join(dataDir, "lock.sqlite");
  // Somebody may have deleted the lock of a process that still runs.
  const isLockMissing = existsSync(file) && !existsSync(lockFile);
  const lock = takeLock(dataDir);
  let raw: Database.Database | undefined;
  const close = (): void => {
    raw?.close();
    lock.close();
  };
  try {
    raw = new Database(file, { timeout: OPENING_BUSY_MS });
    // Before the first table is created.
    raw.pragma("auto_vacuum = INCREMENTAL");
    setPragmas(raw);
    if (isLockMissing) assertUnused(raw, dataDir);
    await migrate(new Kysely({ dialect: new SqliteDialect({ database: raw }) }));
    makeShrinkable(raw);
    raw.pragma(`busy_timeout = ${BUSY_MS}`);
    return { raw, close };
  } catch (error) {
    const isInUse = error instanceof DossierError && error.code === "data_dir_in_use";
    // The next start has to look again. The file goes while its lock is held, so that no other start takes it.
    if (isInUse) rmSync(lockFile, { force: true });
    close();
    if (isInUse) throw error;
    throw unusable(`The database ${file} cannot be opened`, error, "Put a backup in its place, move it away to begin without runs");
  }
}

/** With these settings, a commit survives a crash of the process. A power failure can lose the last commits. */
export function setPragmas(raw: Database.Database): void {
  raw.pragma("journal_mode = WAL");
  raw.pragma("synchronous = NORMAL");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
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

function takeLock(dataDir: string): Database.Database {
  const file = join(dataDir, "lock.sqlite");
  let lock: Database.Database | undefined;
  try {
    makeFolder(dataDir);
    lock = new Database(file, { timeout: 0 });
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("begin exclusive; create table if not exists lock (held integer); commit");
    return lock;
  } catch (error) {
    lock?.close();
    if (hasCode(error, "SQLITE_BUSY")) throw inUse(dataDir, error);
    if (hasCode(error, "SQLITE_NOTADB")) throw unusable(`The lock ${file} is damaged`, error, "Delete this one file, which holds no data");
    throw unusable(`The data folder ${dataDir} cannot be written`, error, "Let this user write there");
  }
}

/** Looks whether another process has the database open, by asking SQLite for it alone. @throws DossierError `data_dir_in_use` */
function assertUnused(raw: Database.Database, dataDir: string): void {
  // The connection has to use the log before the exclusive mode, or it could not leave that mode.
  raw.prepare("select count(*) from sqlite_schema").get();
  raw.pragma(`busy_timeout = ${BUSY_MS}`);
  raw.pragma("locking_mode = EXCLUSIVE");
  try {
    raw.exec("begin immediate; commit");
  } catch (error) {
    if (hasCode(error, "SQLITE_BUSY")) throw inUse(dataDir, error);
    throw error;
  }
  raw.pragma("locking_mode = NORMAL");
  raw.prepare("select count(*) from sqlite_schema").get();
  raw.pragma(`busy_timeout = ${OPENING_BUSY_MS}`);
}

function inUse(dataDir: string, cause: unknown): DossierError {
  return new DossierError("data_dir_in_use", `Another process uses the data folder ${dataDir}. Stop it, or set DATA_DIR.`, { cause });
}

const hasCode = (error: unknown, code: string) => error instanceof Database.SqliteError && error.code.startsWith(code);

function unusable(what: string, error: unknown, advice: string): DossierError {
  const cause = error instanceof DossierError ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = `Nothing was changed. ${adviceFor(cause) ?? advice}, or set DATA_DIR to another folder.`;
  return new DossierError("config_invalid", `${what}: ${reason}. ${remedy}`, { cause: error });
}

/** Node's `recursive` option never returns if the file system refuses the folder, for example below /proc. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const at of missing) {
    try {
      mkdirSync(at);
    } catch (error) {
      if (!statSync(at, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error("it is not a folder"), { code: "ENOTDIR" });
}
