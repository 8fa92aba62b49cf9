import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { DossierError } from "../errors.ts";
import { migrate, type Schema } from "./schema.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** The log grows to 16 MiB before it is copied into the database: each time a run waits for the disk, so a quarter as often as by default. */
const CHECKPOINT_PAGES = 4_000;

const KEPT = "Everything was left as it is.";

/** The one database file of a data folder: `raw` for prepared writes, `query` for typed reads on the same connection. */
export interface SqliteDatabase {
  readonly raw: Database.Database;
  readonly query: Kysely<Schema>;
  close(): void;
}

/**
 * Opens `DATA_DIR/dossier.sqlite`, creates and migrates it where needed, and keeps the folder for this process alone until
 * `close` or the end of the process, however it ends.
 * @throws DossierError `data_dir_in_use` when another process has it; `config_invalid`, which names the file, when it
 * cannot be written or is no database of ours
 */
export async function openDatabase(dataDir: string): Promise<SqliteDatabase> {
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
    const query = new Kysely<Schema>({ dialect: new SqliteDialect({ database: withStatementCache(raw) }) });
    await migrate(query);
    return { raw, query, close };
  } catch (error) {
    close();
    throw unusable(`The database ${file} cannot be opened`, error, `${KEPT} Put a backup in its place, move it away to begin without runs`);
  }
}

/** How the service keeps a database: what is committed survives the death of the process; the last instant may be lost with the power. */
export function setPragmas(raw: Database.Database): void {
  raw.pragma("journal_mode = WAL");
  raw.pragma("synchronous = NORMAL");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

/** SQLite's own file lock, which the operating system lifts when the process dies. */
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
    if (hasCode(error, "SQLITE_NOTADB"))
      throw unusable(`The lock ${file} is damaged`, error, `${KEPT} Delete this one file, which holds no data`);
    throw unusable(`The data folder ${dataDir} cannot be written`, error, `${KEPT} Let this user write there`);
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Database.SqliteError && error.code.startsWith(code);

function unusable(what: string, error: unknown, advice: string): DossierError {
  const cause = error instanceof DossierError ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DossierError("config_invalid", `${what}: ${reason}. ${advice}, or set DATA_DIR to another folder.`, { cause: error });
}

/** Kysely prepares a statement for every execution; the same text gets the same statement here. */
function withStatementCache(raw: Database.Database): Pick<Database.Database, "prepare" | "close"> {
  const statements = new Map<string, Database.Statement>();
  const prepare = (text: string): Database.Statement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = raw.prepare(text);
    // Lists with other filters have other texts, so there are few; a hundred is a bound, not a size.
    if (statements.size < 100) statements.set(text, statement);
    return statement;
  };
  return { prepare: prepare as Database.Database["prepare"], close: () => raw };
}

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never returns where the file system denies that a folder
 * can be there (below /proc, for example).
 * @throws the error of the file system
 */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const at of missing) makeOne(at);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
