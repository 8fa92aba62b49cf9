// log-checkpoints.ts runs this file in worker threads.
import Database from "better-sqlite3";

/** Above this length the log starts again at its beginning, for which writers wait. In pages. */
const RESTART_PAGES = 4_000;

export interface CheckpointTask {
  readonly file: string;
  /** Whether to shorten the log to nothing. Writers wait meanwhile. */
  readonly truncate: boolean;
}

/** Copies the log into the database. Does less, without an error, where another connection uses the database. */
export function checkpoint({ file, truncate }: CheckpointTask): void {
  const database = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    const moved = database.pragma("wal_checkpoint(PASSIVE)") as { readonly log: number }[];
    const isLong = (moved[0]?.log ?? 0) >= RESTART_PAGES;
    if (truncate) database.pragma("wal_checkpoint(TRUNCATE)");
    else if (isLong) database.pragma("wal_checkpoint(RESTART)");
  } finally {
    database.close();
  }
}
