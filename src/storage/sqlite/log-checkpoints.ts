import { stat } from "node:fs/promises";
import BetterSqlite from "better-sqlite3";
import type { WorkerPool } from "../../domain/ports/workers.ts";

/** SQLite's main connection copies a longer log itself, at the next commit. In pages, of usually 4 KiB. */
const MAX_LOG_PAGES = 25_000;
/** Above this length the log starts again at its beginning, for which writers wait. */
const RESTART_PAGES = 4_000;
/** A shorter log is left as it is, so that a service with little work starts no thread for it. */
const MIN_LOG_BYTES = 4_000_000;
const INTERVAL_MS = 500;
const TIMEOUT_MS = 60_000;

export interface CheckpointTask {
  readonly file: string;
  /** Whether to shorten the log to nothing. Writers wait meanwhile. */
  readonly truncate: boolean;
}

/** Copies the log into the database, in a worker thread. Does less, without an error, where another connection uses the database. */
export function checkpoint({ file, truncate }: CheckpointTask): void {
  const database = new BetterSqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    const moved = database.pragma("wal_checkpoint(PASSIVE)") as { readonly log: number }[];
    const isLong = (moved[0]?.log ?? 0) >= RESTART_PAGES;
    if (truncate) database.pragma("wal_checkpoint(TRUNCATE)");
    else if (isLong) database.pragma("wal_checkpoint(RESTART)");
  } finally {
    database.close();
  }
}

interface Options {
  readonly database: BetterSqlite.Database;
  readonly workers: Pick<WorkerPool, "run">;
  /** The shortest log that is copied. */
  readonly minBytes?: number;
  /** How long after a commit the log is copied. */
  readonly intervalMs?: number;
}

/** Copies SQLite's write-ahead log into the database in worker threads, half a second after a commit. */
export class LogCheckpoints {
  readonly #options: Required<Options>;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #isDirty = false;
  #mustEmpty = false;

  constructor(options: Options) {
    options.database.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    // A log that starts again is shortened to what is written then.
    options.database.pragma("journal_size_limit = 0");
    this.#options = { minBytes: MIN_LOG_BYTES, intervalMs: INTERVAL_MS, ...options };
  }

  /** Call this after each commit. */
  wrote(): void {
    this.#isDirty = true;
    if (this.#timer === null && !this.#closing.signal.aborted)
      this.#timer = setTimeout(() => void this.#copy(), this.#options.intervalMs).unref();
  }

  /** Empties the log, however short it is. */
  empty(): void {
    this.#mustEmpty = true;
    this.wrote();
  }

  /** Starts no more work. SQLite empties the log when its last connection closes. */
  close(): void {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** A log that cannot be copied is tried again after the next commit, and at the latest copied by the main connection. */
  async #copy(): Promise<void> {
    this.#isDirty = false;
    await this.#checkpoint().catch(() => undefined);
    this.#timer = null;
    if (this.#isDirty) this.wrote();
  }

  async #checkpoint(): Promise<void> {
    const { database, workers, minBytes } = this.#options;
    const log = `${database.name}-wal`;
    const truncate = this.#mustEmpty;
    if (!truncate && (await stat(log)).size < minBytes) return;
    const task: CheckpointTask = { file: database.name, truncate };
    await workers.run(new URL(import.meta.url), "checkpoint", task, { timeoutMs: TIMEOUT_MS, signal: this.#closing.signal });
    this.#mustEmpty &&= (await stat(log)).size > 0;
  }
}
