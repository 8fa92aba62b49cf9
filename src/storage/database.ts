import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { DossierError } from "../errors.ts";
import { adviceFor } from "../util/file-advice.ts";
import { migrate } from "./schema.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** 4,000 pages are 16 MiB. SQLite's default is 4 MiB, and runs wait for the disk at each checkpoint. */
const CHECKPOINT_PAGES = 4_000;

/** Opens `dossier.sqlite` and locks the folder until `close` or exit. @throws DossierError `data_dir_in_use`, `config_invalid` */
export async function openDatabase(dataDir: string): Promise<{ raw: Database.Database; close: () => void }> {
  const lock = takeLock(dataDir);
  const file = join(dataDir, "dossier.sqlite");
  let raw: Database.Database | undefined;
  const close = (): void => {
    raw?.close();
    lock.close();
  };
  try {
    raw = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    setPragmas(raw);
    await migrate(new Kysely({ dialect: new SqliteDialect({ database: raw }) }));
    return { raw, close };
  } catch (error) {
    close();
    throw unusable(`The database ${file} cannot be opened`, error, "Put a backup in its place, move it away to begin without runs");
  }
}

/** With these settings, a commit survives a crash of the process. A power failure can lose the last commits. */
export function setPragmas(raw: Database.Database): void {
  raw.pragma("journal_mode = WAL");
  raw.pragma("synchronous = NORMAL");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

/** Uses SQLite's file lock, because the operating system releases it when the process dies. */
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
    if (hasCode(error, "SQLITE_BUSY"))
      throw new DossierError("data_dir_in_use", `Another process uses the data folder ${dataDir}. Stop it, or set DATA_DIR.`, {
        cause: error,
      });
    if (hasCode(error, "SQLITE_NOTADB")) throw unusable(`The lock ${file} is damaged`, error, "Delete this one file, which holds no data");
    throw unusable(`The data folder ${dataDir} cannot be written`, error, "Let this user write there");
  }
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
