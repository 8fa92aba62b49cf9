import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { KeyStore } from "../domain/keys.ts";
import { DossierError, toDossierError } from "../errors.ts";
import type { Database } from "./database.ts";
import { createKeyStore } from "./key-store.ts";
import { getTypeParser } from "./postgres/open-postgres.ts";
import { migrate } from "./schema.ts";
import { type OpenedDatabase, openDataFolder } from "./sqlite/data-folder.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { bringToDate } from "./sqlite/open-sqlite.ts";

const BUSY_MS = 30_000;
const ADVICE = "Nothing was changed. Use the user and the version of the service, and try again.";

interface OpenedKeys extends AsyncDisposable {
  readonly keys: KeyStore;
}

/**
 * Opens the keys of a database, also while services use it.
 * @throws DossierError `config_invalid`, `storage_unavailable`
 */
export async function openKeys(dataDir: string, databaseUrl: string | undefined): Promise<OpenedKeys> {
  return databaseUrl === undefined ? openInFolder(dataDir) : openInPostgres(databaseUrl);
}

async function openInFolder(dataDir: string): Promise<OpenedKeys> {
  const { raw, close } = await openDataFolder(dataDir, bringToDate).catch((error: unknown) => openBesideService(dataDir, error));
  const db = new Kysely<unknown>({ dialect: sqliteDialect(raw) });
  const database = openDatabase(db, "sqlite", (cause) => unusable(dataDir, cause));
  return { keys: createKeyStore(database, Date.now), [Symbol.asyncDispose]: async () => close() };
}

/** The service that locks the folder has brought the database to the schema of its version. */
function openBesideService(dataDir: string, error: unknown): Pick<OpenedDatabase, "raw" | "close"> {
  if (!(error instanceof DossierError) || error.code !== "data_dir_in_use") throw error;
  try {
    const raw = new BetterSqlite(join(dataDir, "dossier.sqlite"), { fileMustExist: true, timeout: BUSY_MS });
    return { raw, close: () => raw.close() };
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

function unusable(dataDir: string, cause: unknown): DossierError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DossierError("config_invalid", `The keys in ${dataDir} cannot be used: ${why}. ${ADVICE}`, { cause });
}

async function openInPostgres(connectionString: string): Promise<OpenedKeys> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1, types: { getTypeParser } }) }),
  });
  try {
    await migrate(db, "postgres");
  } catch (cause) {
    await db.destroy();
    const { message } = toDossierError(cause instanceof DossierError ? (cause.cause ?? cause) : cause);
    throw new DossierError("config_invalid", `The database of DATABASE_URL cannot be used: ${message}. Nothing was changed.`, { cause });
  }
  return { keys: createKeyStore(openDatabase(db, "postgres"), Date.now), [Symbol.asyncDispose]: () => db.destroy() };
}

function openDatabase(db: Kysely<unknown>, kind: Database["kind"], explain: Database["explain"] = (error) => error) {
  const write: Database["write"] = (work) =>
    db
      .transaction()
      .execute((connection) => work({ kind, db: connection, onCommit: () => undefined }))
      .catch((error: unknown) => {
        throw error instanceof DossierError ? error : explain(error);
      });
  return { db, explain, write };
}
