import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Role } from "../../domain/ports/run-service.ts";
import { DossierError } from "../../errors.ts";
import { allRows, type Database, firstRow, type Transaction, type WriteOptions } from "../database.ts";
import type { Shared } from "../processes.ts";
import { migrate } from "../schema.ts";
import { lockFolder } from "../sqlite/data-folder.ts";
import { bytesIn, type DataSpace } from "../sqlite/data-space.ts";
import { type OnRefusal, WriteRefusals } from "../write-refusals.ts";
import { openBossQueue } from "./boss-queue.ts";
import { DatabaseLimits } from "./database-limits.ts";
import { InOrder } from "./in-order.ts";
import { Notices } from "./notices.ts";
import { isRepeatable, refusalOf } from "./pg-errors.ts";

export interface PostgresOptions {
  readonly url: string;
  /** The most connections of this process. */
  readonly connections: number;
  /** What this process does. Default: `all`. */
  readonly role?: Role;
  readonly onRefusal?: OnRefusal;
}

const CONNECT_MS = 5_000;
const STATEMENT_MS = 60_000;
/** PostgreSQL ends the transactions of a process that is frozen: others wait for their locks to take its runs over. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const MAX_TRIES = 5;
/** 64-bit integers and sums fit into JavaScript's numbers: they are times, counts and bytes. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

/** Opens a database of PostgreSQL 15 or later. `probe` tries a write. @throws DossierError `config_invalid`, `data_dir_in_use` */
export async function openPostgres(dataDir: string, probe: () => Promise<unknown>, options: PostgresOptions) {
  const { url, connections, role = "all", onRefusal = () => undefined } = options;
  await using opening = new AsyncDisposableStack();
  opening.adopt(lockFolder(dataDir), (lock) => void lock.close());
  const settings = { connectionString: url, connectionTimeoutMillis: CONNECT_MS, application_name: "dossier", types: { getTypeParser } };
  const pool = new pg.Pool({
    ...settings,
    max: connections,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // A connection that ends is replaced when the next one is needed. Its own event, which comes while it is in use, would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  opening.defer(() => db.destroy());
  const worker = `${role}-${randomUUID()}`;
  const notices = opening.adopt(new Notices(settings, worker), (one) => one.close());
  const refusals = new WriteRefusals({ refusalOf: asRefusal, probe, report: onRefusal });
  const inOrder = new InOrder();
  const database: Database = {
    kind: "postgres",
    db,
    explain: (error) => refusalOf(error) ?? error,
    write: (work, writeOptions = {}) =>
      inOrder
        .run(writeOptions.about, () => transactIfNeeded(db, work, writeOptions))
        .catch((error: unknown) => {
          throw refusals.note(error);
        }),
    damaged: (why) => new DossierError("storage_damaged", `The database is damaged (${why}). Restore a backup of it.`),
  };
  const bossOptions = { worker, works: role !== "api", onQueued: () => notices.tellQueued(), onError: () => undefined };
  const jobs = await prepare().catch((error: unknown) => {
    throw unusable(error);
  });
  async function prepare() {
    await notices.session.open();
    await migrate(db, "postgres");
    return openBossQueue(pool, database, bossOptions);
  }
  opening.defer(() => jobs.close());
  const everything = opening.move();
  return {
    database,
    shared: { peers: notices, limits: new DatabaseLimits(notices.session), ...jobs } satisfies Shared,
    space: createSpace(database, dataDir),
    async check(): Promise<void> {
      await firstRow(database, sql`select 1`);
      await refusals.check();
    },
    async close(): Promise<void> {
      refusals.close();
      await everything.disposeAsync();
    },
  };
}

export function getTypeParser(oid: number, format?: "text" | "binary") {
  return NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format as "text");
}

function asRefusal(error: unknown): DossierError | null {
  return error instanceof DossierError && error.code === "storage_unavailable" ? error : refusalOf(error);
}

async function transactIfNeeded<T>(...[db, work, options]: Parameters<typeof transact<T>>): Promise<T> {
  if (options?.isNeeded === undefined) return transact(db, work, options);
  await nextTurn();
  return options.isNeeded() ? transact(db, work, options) : (undefined as T);
}

async function transact<T>(
  db: Kysely<unknown>,
  work: (transaction: Transaction) => Promise<T>,
  { onRollback = () => undefined }: WriteOptions = {},
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const callbacks: (() => void)[] = [];
    const onCommit = (callback: () => void): void => void callbacks.push(callback);
    try {
      const result = await db.transaction().execute((connection) => work({ kind: "postgres", db: connection, onCommit }));
      for (const callback of callbacks) callback();
      return result;
    } catch (error) {
      onRollback();
      if (tries === MAX_TRIES || !isRepeatable(error)) throw error;
    }
  }
}

/** PostgreSQL gives no space back to the disk when rows are deleted, so deleting for the size is refused (MAX_DATA_GB). */
function createSpace(database: Database, dataDir: string): DataSpace {
  return {
    async bytes() {
      const [row] = await allRows(database, sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`);
      return (row?.bytes ?? 0) + bytesIn(dataDir);
    },
    lastingBytes: async () => 0,
    freeSpace: async () => undefined,
  };
}

function unusable(error: unknown): DossierError {
  if (error instanceof DossierError && error.code === "data_dir_in_use") return error;
  const cause = error instanceof DossierError ? (error.cause ?? error) : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DossierError("config_invalid", `The database of DATABASE_URL cannot be used: ${why}. Nothing was changed.`, { cause: error });
}
