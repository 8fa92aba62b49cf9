import { stat } from "node:fs/promises";
import type Database from "better-sqlite3";
import type { WorkerPool } from "../../domain/ports/workers.ts";
import type { CheckpointTask } from "./checkpoint-thread.ts";

const THREAD = new URL("./checkpoint-thread.ts", import.meta.url);
/** SQLite's main connection copies a longer log itself, at the next commit. In pages, of usually 4 KiB. */
const MAX_LOG_PAGES = 25_000;
/** A shorter log is left as it is, so that a service with little work starts no thread for it. */
const MIN_LOG_BYTES = 4_000_000;
/** A log of this length was not emptied for long, although it was copied. */
const HELD_BYTES = 250_000_000;
const INTERVAL_MS = 500;
const IDLE_MS = 2_000;
const TIMEOUT_MS = 60_000;

interface Options {
  readonly database: Database.Database;
  readonly workers: Pick<WorkerPool, "run">;
  /** The shortest log that is copied. */
  readonly minBytes?: number;
  /** How long after a commit the log is copied. */
  readonly intervalMs?: number;
  /** Called when the log becomes longer than `heldBytes`. SQLite begins it anew only when no other program reads the database. */
  readonly onHeld?: (bytes: number) => void;
  readonly heldBytes?: number;
  /** How long after the last copy without a commit the log is emptied. */
  readonly idleMs?: number;
}

/** Copies SQLite's write-ahead log into the database in worker threads, and empties it when nothing has been written for two seconds. */
export class LogCheckpoints {
  readonly #options: Required<Options>;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #isDirty = false;
  #mustEmpty = false;
  #isHeld = false;

  constructor(options: Options) {
    options.database.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    this.#options = {
      ...{ minBytes: MIN_LOG_BYTES, intervalMs: INTERVAL_MS, idleMs: IDLE_MS, heldBytes: HELD_BYTES, onHeld: () => undefined },
      ...options,
    };
  }

  /** Call this after each commit. */
  wrote(): void {
    this.#isDirty = true;
    if (this.#timer === null) this.#schedule();
  }

  /** Empties the log when nothing is written any more, however short it is. */
  empty(): void {
    this.#mustEmpty = true;
    if (this.#timer === null) this.#schedule(true);
  }

  /** Starts no more work. SQLite empties the log when its last connection closes. */
  close(): void {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #schedule(whenIdle = false): void {
    const { intervalMs, idleMs } = this.#options;
    if (!this.#closing.signal.aborted) this.#timer = setTimeout(() => void this.#copy(whenIdle), whenIdle ? idleMs : intervalMs).unref();
  }

  /** A log that cannot be copied is tried again after the next commit, and at the latest copied by the main connection. */
  async #copy(whenIdle: boolean): Promise<void> {
    const truncate = whenIdle && !this.#isDirty;
    this.#isDirty = false;
    const isDone = await this.#checkpoint(truncate).catch(() => true);
    this.#timer = null;
    if (this.#isDirty || !isDone) this.#schedule(!this.#isDirty);
  }

  /** Returns whether nothing is left to do until the next commit. */
  async #checkpoint(truncate: boolean): Promise<boolean> {
    const { database, workers, minBytes, heldBytes, onHeld } = this.#options;
    const { size } = await stat(`${database.name}-wal`);
    if (size > heldBytes && !this.#isHeld) onHeld(size);
    this.#isHeld = size > heldBytes;
    if (size < (this.#mustEmpty ? 1 : minBytes)) return true;
    const task: CheckpointTask = { file: database.name, truncate };
    await workers.run(THREAD, "checkpoint", task, { timeoutMs: TIMEOUT_MS, signal: this.#closing.signal });
    if (truncate) this.#mustEmpty = false;
    return truncate;
  }
}
