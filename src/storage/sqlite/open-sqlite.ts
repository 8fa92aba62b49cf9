import { statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { Kysely } from "kysely";
import type { WorkerPool } from "../../domain/ports/workers.ts";
import type { DossierError } from "../../errors.ts";
import { CLIENT_BUSY_MS, type Database } from "../database.ts";
import { migrate } from "../schema.ts";
import { type OnRefusal, WriteRefusals } from "../write-refusals.ts";
import { openDataFolder } from "./data-folder.ts";
import { createDataSpace } from "./data-space.ts";
import { sqliteDialect } from "./dialect.ts";
import { importOldTables } from "./import-03.ts";
import { LogCheckpoints } from "./log-checkpoints.ts";
import { createOneProcess } from "./one-process.ts";
import { damaged, damageOf, refusalOf } from "./sqlite-errors.ts";
import { WriteQueue } from "./write-queue.ts";

export interface SqliteOptions {
  readonly onRefusal?: OnRefusal;
  /** Called once when SQLite meets a damaged page. From then on nothing is written. */
  readonly onDamage?: (damage: DossierError) => void;
  /** Copy the write-ahead log into the database. Without them, this connection does so. */
  readonly workers?: Pick<WorkerPool, "run">;
}

/** Opens the database of a data folder. `probe` tries a write. */
export async function openSqlite(dataDir: string, probe: () => Promise<unknown>, options: SqliteOptions) {
  const { onRefusal = () => undefined, onDamage = () => undefined, workers } = options;
  const { raw, isAlone, close } = await openDataFolder(dataDir, bringToDate);
  let damage: DossierError | null = null;
  const noteDamage = (met: DossierError): DossierError => {
    if (damage === null) onDamage(met);
    damage ??= met;
    return damage;
  };
  const explain = (error: unknown): unknown => {
    const met = damageOf(error);
    return met === null ? error : noteDamage(met);
  };
  const db = new Kysely<unknown>({ dialect: sqliteDialect(raw) });
  const refusals = new WriteRefusals({ refusalOf, probe, report: onRefusal });
  const checkpoints = workers === undefined || isAlone ? null : new LogCheckpoints({ database: raw, workers });
  const verifyFile = verifyPlace(join(dataDir, "dossier.sqlite"));
  const verify = (): void => {
    if (damage !== null) throw damage;
    verifyFile();
  };
  const queue = new WriteQueue(db, {
    ...{ inTransaction: () => raw.inTransaction, explain: (error) => refusals.note(explain(error)), verify },
    onCommit: () => checkpoints?.wrote(),
  });
  const database: Database = {
    kind: "sqlite",
    ...{ db, explain },
    write: (work, options) => queue.run(work, options),
    damaged: (why) => noteDamage(damaged(why)),
  };
  const emptyLog = (): void => {
    if (checkpoints === null) raw.pragma("wal_checkpoint(TRUNCATE)");
    else checkpoints.empty();
  };
  const shared = createOneProcess(database);
  return {
    database,
    shared,
    space: createDataSpace({ raw, database, dataDir, emptyLog }),
    async check(): Promise<void> {
      raw.prepare("select 1").get();
      try {
        verify();
      } catch (error) {
        throw refusals.note(error);
      }
      if (queue.lockedMs >= CLIENT_BUSY_MS) throw refusals.note(new BetterSqlite.SqliteError("database is locked", "SQLITE_BUSY"));
      await refusals.check();
    },
    async close(): Promise<void> {
      checkpoints?.close();
      refusals.close();
      shared.close();
      await queue.idle();
      close();
    },
  };
}

/** Brings a database of this or an earlier version to the schema of this one. */
export async function bringToDate(raw: BetterSqlite.Database): Promise<void> {
  importOldTables(raw);
  await migrate(new Kysely({ dialect: sqliteDialect(raw) }), "sqlite");
}

/** SQLite goes on with a file that was moved or deleted; what it writes there would be lost. Its code for this is used, which it gives only without a write-ahead log. */
function verifyPlace(file: string): () => void {
  const { ino } = statSync(file);
  return () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino === ino) return;
    throw new BetterSqlite.SqliteError(
      `${file} was moved, deleted or replaced; bring it back, or restart the server`,
      "SQLITE_READONLY_DBMOVED",
    );
  };
}
