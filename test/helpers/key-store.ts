import Database from "better-sqlite3";
import { Kysely } from "kysely";
import type { KeyStore } from "../../src/domain/keys.ts";
import { createKeyStore } from "../../src/storage/key-store.ts";
import { sqliteDialect } from "../../src/storage/sqlite/dialect.ts";
import { bringToDate } from "../../src/storage/sqlite/open-sqlite.ts";

/** A store of keys in memory. */
export async function openMemoryKeys(clock: () => number = () => Date.UTC(2026, 0, 1)): Promise<KeyStore> {
  const raw = new Database(":memory:");
  await bringToDate(raw);
  const db = new Kysely<unknown>({ dialect: sqliteDialect(raw) });
  return createKeyStore(
    { db, write: (work) => db.transaction().execute((connection) => work({ kind: "sqlite", db: connection, onCommit: () => undefined })) },
    clock,
  );
}
