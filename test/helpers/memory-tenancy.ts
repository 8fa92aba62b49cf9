import Database from "better-sqlite3";
import { Kysely } from "kysely";
import type { Tenancy } from "../../src/domain/tenancy.ts";
import { DossierError } from "../../src/errors.ts";
import { sqliteDialect } from "../../src/storage/sqlite/dialect.ts";
import { bringToDate } from "../../src/storage/sqlite/open-sqlite.ts";
import { openTenancy } from "../../src/storage/tenancy.ts";

/** The keys and owners of a database in memory. */
export async function openMemoryTenancy(clock: () => number = () => Date.UTC(2026, 0, 1)): Promise<Tenancy> {
  const raw = new Database(":memory:");
  await bringToDate(raw);
  const db = new Kysely<unknown>({ dialect: sqliteDialect(raw) });
  return openTenancy(
    {
      kind: "sqlite",
      explain: (error) => error,
      db,
      damaged: (why) => new DossierError("storage_damaged", why),
      write: (work) => db.transaction().execute((connection) => work({ kind: "sqlite", db: connection, onCommit: () => undefined })),
    },
    { clock },
  );
}
