import Database from "better-sqlite3";
import { DossierError } from "../errors.ts";

export interface Rows<Row> {
  get(...values: unknown[]): Row | undefined;
  all(...values: unknown[]): Row[];
}

/** Whether SQLite gave this code, or one that begins with it. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith(code);
}

/** Returns `storage_damaged` if SQLite met a page that it cannot use, else null. */
export function damageOf(error: unknown): DossierError | null {
  if (error instanceof DossierError) return error.code === "storage_damaged" ? error : null;
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return null;
  const message = `A part of the database is damaged (${error.message}). Nothing was changed; the rest can be used. Restore a backup.`;
  return new DossierError("storage_damaged", message, { cause: error });
}

/** Returns `instead` if `read` meets a damaged page. */
export function ifUndamaged<T>(read: () => T, instead: T): T {
  try {
    return read();
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return instead;
  }
}

export function throwExplained(error: unknown): never {
  throw damageOf(error) ?? error;
}

/** Prepares a statement that throws `storage_damaged` in place of SQLite's error. */
export function prepareRows<Row>(database: Database.Database, text: string): Rows<Row> {
  const statement = database.prepare(text);
  const orExplain = <T>(read: () => unknown): T => {
    try {
      return read() as T;
    } catch (error) {
      return throwExplained(error);
    }
  };
  return {
    get: (...values) => orExplain(() => statement.get(...values)),
    all: (...values) => orExplain(() => statement.all(...values)),
  };
}
