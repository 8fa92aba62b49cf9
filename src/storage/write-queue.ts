import Database from "better-sqlite3";
import { DossierError } from "../errors.ts";

interface Unit {
  readonly work: () => unknown;
  readonly settle: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void;
}

/** Group commit: one transaction for all units of a turn of the event loop, each in a savepoint, so that a failing one rolls back alone. */
export class WriteQueue {
  readonly #database: Database.Database;
  readonly #group: Database.Transaction<(units: readonly Unit[]) => (() => void)[]>;
  readonly #single: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #explain: (error: unknown) => unknown;
  #units: Unit[] = [];

  /** @param explain maps each error of a unit or commit to the error that callers get */
  constructor(database: Database.Database, explain: (error: unknown) => unknown = (error) => error) {
    this.#database = database;
    this.#explain = explain;
    this.#single = database.transaction((work) => work());
    this.#group = database.transaction((units) => units.map((unit) => this.#perform(unit)));
  }

  /** Resolves with the result of `work` after the commit; rejects with its error or the error of the commit. */
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
      // A full disk rolls back the whole transaction: no unit of the group is written, and none may follow.
      if (!this.#database.inTransaction) throw error;
      return () => settle({ error: this.#explain(error) });
    }
  }
}

const PROBE_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 60_000;

/** SQLite's codes for a database that cannot be written; extended codes begin with one of these. */
const REFUSALS = ["FULL", "IOERR", "READONLY", "BUSY", "LOCKED", "CANTOPEN", "NOMEM", "PERM", "PROTOCOL", "CORRUPT", "NOTADB"];
/** We have no triggers: an operator adds one to keep the database unchanged. */
const REFUSING_TRIGGER = "SQLITE_CONSTRAINT_TRIGGER";

/** Called when the database starts to refuse writes, at most once a minute while it does, and with null when it accepts them again. */
export type OnRefusal = (refusal: DossierError | null) => void;

/** Tracks whether the database accepts writes. After a refusal it probes every second until one succeeds. */
export class WriteRefusals {
  readonly #probe: () => Promise<unknown>;
  readonly #report: OnRefusal;
  readonly #clock: () => number;
  #refusal: DossierError | null = null;
  #probing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #reported = false;
  #reportedAt = Number.NEGATIVE_INFINITY;

  /** @param probe tries to write; rejects while the database refuses writes @param clock monotonic, in milliseconds */
  constructor(probe: () => Promise<unknown>, report: OnRefusal, clock: () => number = () => performance.now()) {
    this.#probe = probe;
    this.#report = report;
    this.#clock = clock;
  }

  /** Maps a refusal to `storage_unavailable`; returns other errors unchanged. */
  note(error: unknown): unknown {
    const refusal = refusalOf(error);
    if (refusal === null) return error;
    this.#refusal = refusal;
    this.#timer ??= setInterval(() => void this.check().catch(() => undefined), PROBE_EVERY_MS).unref();
    if (this.#clock() - this.#reportedAt < REPORT_EVERY_MS) return refusal;
    this.#reportedAt = this.#clock();
    this.#reported = true;
    this.#report(refusal);
    return refusal;
  }

  /** Probes if the last write was refused. @throws DossierError `storage_unavailable` */
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
    // A refusal that was not reported, within a minute after the last one, ends without a report.
    if (this.#reported) this.#report(null);
    this.#reported = false;
  }
}

function refusalOf(error: unknown): DossierError | null {
  if (!(error instanceof Database.SqliteError)) return null;
  const refused = error.code === REFUSING_TRIGGER || REFUSALS.some((code) => error.code.startsWith(`SQLITE_${code}`));
  if (!refused) return null;
  return new DossierError("storage_unavailable", `The database refuses writes (${error.message}). Nothing was changed; try again later.`, {
    cause: error,
  });
}
