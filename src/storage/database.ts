import { type Kysely, type QueryResult, type RawBuilder, sql } from "kysely";
import type { DossierError } from "../errors.ts";

/** Runs statements; within a transaction, its connection. */
export type Executor = Pick<Kysely<unknown>, "getExecutor">;

export interface Transaction {
  readonly kind: Database["kind"];
  readonly db: Executor;
  /** `callback` is called when the transaction is committed, and never otherwise. */
  onCommit(callback: () => void): void;
}

export interface WriteOptions {
  /** Takes back what the work did outside of the database, also if it was not begun. */
  readonly onRollback?: () => void;
  /** How long the write waits while another program holds the lock of a SQLite database, in milliseconds. */
  readonly maxBusyMs?: number;
  /** Writes about the same thing are performed in the order of the calls. SQLite performs all writes so. */
  readonly about?: string;
  /** PostgreSQL asks this a turn of the event loop later, and performs nothing if it is not needed any more. */
  readonly isNeeded?: () => boolean;
}

/** How long a client waits for the write lock. It can try again. */
export const CLIENT_BUSY_MS = 2_000;
export const CLIENT: WriteOptions = { maxBusyMs: CLIENT_BUSY_MS };

/** A SQLite or PostgreSQL database with the tables of this version. */
export interface Database {
  readonly kind: "sqlite" | "postgres";
  /** For reads outside of transactions. */
  readonly db: Executor;
  /** Maps what such a read throws, such as to `storage_unavailable`. */
  readonly explain: (error: unknown) => unknown;
  /**
   * Performs `work` in a transaction, and returns its result after the commit. `work` waits for nothing but its own statements.
   * @throws DossierError `storage_unavailable`, `storage_damaged`; what `work` throws. Nothing is written then
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Notes that something is not as it was stored. Returns `storage_damaged`. */
  damaged(why: string): DossierError;
}

/** A database or a transaction. */
type Source = Pick<Database, "db"> & Partial<Pick<Database, "explain">>;

async function execute<Row>({ db, explain }: Source, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  try {
    return await statement.execute(db as Kysely<unknown>);
  } catch (error) {
    throw explain?.(error) ?? error;
  }
}

export async function allRows<Row>(source: Source, query: RawBuilder<Row>): Promise<Row[]> {
  return (await execute(source, query)).rows;
}

export async function firstRow<Row>(source: Source, query: RawBuilder<Row>): Promise<Row | undefined> {
  return (await allRows(source, query))[0];
}

/** Performs a statement and returns the number of changed rows. */
export async function change(source: Source, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await execute(source, statement)).numAffectedRows ?? 0);
}

/** SQLite keeps prepared statements, so that many different numbers of rows would each be parsed anew. */
const ROWS_OF_SQLITE = [16, 4, 1];
/** PostgreSQL parses each statement, and takes 65,535 values at most. */
const MAX_ROWS_OF_POSTGRES = 1_000;

/** Inserts rows, several in one statement. `statement` returns it for these rows, which stand behind `values`. */
export async function insertRows(
  tx: Transaction,
  rows: readonly (readonly unknown[])[],
  statement: (values: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; ) {
    const left = rows.length - at;
    const count = tx.kind === "postgres" ? Math.min(left, MAX_ROWS_OF_POSTGRES) : (ROWS_OF_SQLITE.find((most) => most <= left) ?? 1);
    const values = rows.slice(at, at + count).map((row) => sql`(${sql.join(row)})`);
    await change(tx, statement(sql.join(values)));
    at += count;
  }
}

/** Returns text as each database takes it: PostgreSQL has no NUL, and UTF-8 has no lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** Ends a select whose rows the transaction will change: in PostgreSQL, others may change them at the same time. */
export function locked({ kind }: Pick<Database, "kind">): RawBuilder<unknown> {
  return kind === "postgres" ? sql`for update` : sql``;
}
