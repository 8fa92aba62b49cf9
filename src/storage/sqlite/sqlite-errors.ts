import BetterSqlite from "better-sqlite3";
import { DossierError } from "../../errors.ts";

const REFUSALS = ["FULL", "IOERR", "READONLY", "BUSY", "LOCKED", "CANTOPEN", "NOMEM", "PERM", "PROTOCOL"];
/** An operator can forbid writes with a trigger. */
const REFUSING_TRIGGER = "SQLITE_CONSTRAINT_TRIGGER";

/** Whether SQLite gave this code, or one that begins with it. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof BetterSqlite.SqliteError && error.code.startsWith(code);
}

/** Returns `storage_damaged` if SQLite met a page that it cannot use, else null. */
export function damageOf(error: unknown): DossierError | null {
  if (!(error instanceof BetterSqlite.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return null;
  return damaged(error.message, error);
}

export function damaged(why: string, cause?: unknown): DossierError {
  const remedy = "The service stops. Move the data folder away and restore a backup: npm run restore -- FILE.";
  return new DossierError("storage_damaged", `The database is damaged (${why}). ${remedy}`, { cause });
}

/** Returns `storage_unavailable` if SQLite could not write, else null. */
export function refusalOf(error: unknown): DossierError | null {
  if (!(error instanceof BetterSqlite.SqliteError)) return null;
  const { code, message } = error;
  if (code !== REFUSING_TRIGGER && !REFUSALS.some((refusal) => code.startsWith(`SQLITE_${refusal}`))) return null;
  const text = `The database refuses writes (${message}). Nothing was changed; try again later.`;
  return new DossierError("storage_unavailable", text, { cause: error });
}
