import Database from "better-sqlite3";
import { DossierError } from "../errors.ts";

/** Whether SQLite gave this code, or one that begins with it. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith(code);
}

/** Returns `storage_damaged` if SQLite met a page that it cannot use, else null. */
export function damageOf(error: unknown): DossierError | null {
  if (error instanceof DossierError) return error.code === "storage_damaged" ? error : null;
  if (!hasCode(error, "SQLITE_CORRUPT") && !hasCode(error, "SQLITE_NOTADB")) return null;
  return damaged(error instanceof Error ? error.message : "unknown", error);
}

export function damaged(why: string, cause?: unknown): DossierError {
  const remedy = "The service stops. Move the data folder away and restore a backup: npm run restore -- FILE.";
  return new DossierError("storage_damaged", `The database is damaged (${why}). ${remedy}`, { cause });
}
