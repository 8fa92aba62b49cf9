import Database from "better-sqlite3";
import { DossierError } from "../errors.ts";

interface Unit {
  readonly work: () => unknown;
  readonly settle: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void;
}

/**
 * Group commit: all units of one turn of the event loop are written in one transaction, in the order in which they were
 * handed in, each in a savepoint of its own, so that one that throws takes back itself alone.
 */
export class WriteQueue {
  readonly #database: Database.Database;
  readonly #group: Database.Transaction<(units: readonly Unit[]) => (() => void)[]>;
  readonly #single: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #explain: (error: unknown) => unknown;
  #units: Unit[] = [];

  /** @param explain is given every error of a unit and of a commit, and gives what the callers get */
  constructor(database: Database.Database, explain: (error: unknown) => unknown = (error) => error) {
    this.#database = database;
    this.#explain = explain;
    this.#single = database.transaction((work) => work());
    this.#group = database.transaction((units) => units.map((unit) => this.#perform(unit)));
  }

  /** Resolves with the result of `work` after it has been committed; rejects with what it threw, or why the commit failed. */
  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle: Unit["settle"] = (outcome) => ("value" in outcome ? resolve(outcome.value as T) : reject(outcome.error));
      this.#units.push({ work, settle });
      if (this.#units.length === 1) setImmediate(this.#flush);
    });
  }

  readonly #flush = (): void => {
    const units = this.#units;
    this.#units = [];
    try {
      for (const done of this.#group(units)) done();
    } catch (cause) {
      const error = this.#explain(cause);
      for (const unit of units) unit.settle({ error });
    }
  };

  #perform({ work, settle }: Unit): () => void {
    try {
      const value = this.#single(work);
      return () => settle({ value });
    } catch (error) {
      // A full disk takes back the whole transaction: then no unit of the group has been written, and none may follow.
      if (!this.#database.inTransaction) throw error;
      return () => settle({ error: this.#explain(error) });
    }
  }
}

const PROBE_EVERY_MS = 1_000;
/** While it lasts, a refusal is told no more often. */
const TELL_EVERY_MS = 60_000;

/** What SQLite says when it cannot write now, whatever is written; its extended codes begin with one of these. */
const REFUSALS = ["FULL", "IOERR", "READONLY", "BUSY", "LOCKED", "CANTOPEN", "NOMEM", "PERM", "PROTOCOL", "CORRUPT", "NOTADB"];
/** There is no trigger of ours: one that refuses was put there to keep the database as it is. */
const REFUSING_TRIGGER = "SQLITE_CONSTRAINT_TRIGGER";

/** Told when the database begins to refuse writes, at most once a minute while it does, and when it takes them again (null). */
export type OnRefusal = (refusal: DossierError | null) => void;

/** Whether the database takes writes. One that has refused is asked again every second, until it does. */
export class WriteRefusals {
  readonly #probe: () => Promise<unknown>;
  readonly #tell: OnRefusal;
  readonly #clock: () => number;
  #refusal: DossierError | null = null;
  #probing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #told = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  /**
   * @param probe tries to write, and rejects where it is refused
   * @param clock in milliseconds; never goes back
   */
  constructor(probe: () => Promise<unknown>, tell: OnRefusal, clock: () => number = () => performance.now()) {
    this.#probe = probe;
    this.#tell = tell;
    this.#clock = clock;
  }

  /** The error as callers get it: `storage_unavailable` for a refusal, any other as it is. */
  note(error: unknown): unknown {
    const refusal = refusalOf(error);
    if (refusal === null) return error;
    this.#refusal = refusal;
    this.#timer ??= setInterval(() => void this.check().catch(() => undefined), PROBE_EVERY_MS).unref();
    if (this.#clock() - this.#toldAt < TELL_EVERY_MS) return refusal;
    this.#toldAt = this.#clock();
    this.#told = true;
    this.#tell(refusal);
    return refusal;
  }

  /** @throws DossierError `storage_unavailable` while writes are refused; looks again before it says so */
  async check(): Promise<void> {
    if (this.#refusal === null) return;
    this.#probing ??= this.#tryWrite().finally(() => {
      this.#probing = null;
    });
    await this.#probing;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #tryWrite(): Promise<void> {
    await this.#probe();
    this.#refusal = null;
    this.close();
    // A refusal that nobody was told of, less than a minute after the last one, ends as quietly.
    if (this.#told) this.#tell(null);
    this.#told = false;
  }
}

function refusalOf(error: unknown): DossierError | null {
  if (!(error instanceof Database.SqliteError)) return null;
  const refused = error.code === REFUSING_TRIGGER || REFUSALS.some((code) => error.code.startsWith(`SQLITE_${code}`));
  if (!refused) return null;
  return new DossierError(
    "storage_unavailable",
    `The database takes no writes now (${error.message}); nothing was changed. Try again later.`,
    {
      cause: error,
    },
  );
}
