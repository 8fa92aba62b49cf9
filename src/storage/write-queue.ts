import type Database from "better-sqlite3";
import { beginTurn } from "../util/turns.ts";
import { damageOf, hasCode } from "./damage.ts";

interface Unit {
  readonly maxBusyMs: number;
  readonly work: () => unknown;
  readonly onRollback: () => void;
  readonly settle: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void;
}

interface Options {
  /** Maps each error of a statement to the error that callers get. */
  readonly explain?: (error: unknown) => unknown;
  /** How long writes wait while another program holds the write lock, in milliseconds. */
  readonly maxBusyMs?: number;
  readonly onCommit?: () => void;
  /** Called when a unit or a whole transaction was rolled back. */
  readonly onRollback?: () => void;
  /** Called before each transaction. What it throws, the transaction throws. */
  readonly verify?: () => void;
}

const MAX_BUSY_MS = 30_000;
/** How long a client waits for the write lock. It can try again. */
export const CLIENT_BUSY_MS = 2_000;
export const CLIENT = { maxBusyMs: CLIENT_BUSY_MS };
const RETRY_MS = 25;
/** After this time, the other units wait for the next turn of the event loop. */
const TURN_MS = 5;
/** A turn of the event loop that takes longer does other work too, so that units may wait. */
const BUSY_TURN_MS = 1;
/** With 16 runs at once, a commit per turn is three to four commits for each run, and one per 10 ms is one. */
const MAX_GATHER_MS = 10;

const nothing = (): void => undefined;
const DEFAULTS: Required<Options> = {
  ...{ explain: (error) => error, maxBusyMs: MAX_BUSY_MS },
  ...{ onCommit: nothing, onRollback: nothing, verify: nothing },
};

/** A prepared statement that returns rows. */
export interface Rows<Row> {
  get(...values: unknown[]): Row | undefined;
  all(...values: unknown[]): Row[];
}

/**
 * Group commit: writes the units of a turn of the event loop in one transaction, and those of several turns while the loop is busy. A
 * savepoint per unit lets one roll back alone. While another program holds the write lock, the units wait and the event loop goes on.
 */
export class WriteQueue {
  readonly #database: Database.Database;
  readonly #group: Database.Transaction<(units: readonly Unit[]) => (() => void)[]>;
  readonly #single: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #options: Required<Options>;
  #units: Unit[] = [];
  #addedAt = 0;
  #lookedAt = 0;
  /** When the write lock was first refused, by `performance.now()`. */
  #busySince: number | null = null;

  constructor(database: Database.Database, options: Options = {}) {
    this.#database = database;
    this.#options = { ...DEFAULTS, ...options };
    this.#single = database.transaction((work) => work());
    this.#group = database.transaction((units) => this.#performInTurn(units));
  }

  /** Prepares a statement that returns rows. Its errors are explained. */
  rows<Row>(text: string): Rows<Row> {
    const statement = this.#database.prepare(text);
    const read = <T>(work: () => unknown): T => {
      try {
        return work() as T;
      } catch (error) {
        throw this.explain(error);
      }
    };
    return { get: (...values) => read(() => statement.get(...values)), all: (...values) => read(() => statement.all(...values)) };
  }

  /** Returns the error that callers get instead of this one. */
  explain(error: unknown): unknown {
    return this.#options.explain(error);
  }

  /**
   * Resolves with the result of `work` after the commit; rejects with its error or the error of the commit. `onRollback` takes back what
   * `work` did outside of the database; it is also called if `work` was not performed. Rejects without performing `work` if another program
   * has held the write lock for `maxBusyMs`.
   */
  run<T>(work: () => T, { onRollback = nothing, maxBusyMs = this.#options.maxBusyMs } = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle: Unit["settle"] = (outcome) => ("value" in outcome ? resolve(outcome.value as T) : reject(outcome.error));
      this.#add({ work, settle, onRollback, maxBusyMs });
    });
  }

  /** How long another program has kept a write waiting, in milliseconds. */
  get lockedMs(): number {
    return this.#busySince === null ? 0 : performance.now() - this.#busySince;
  }

  #add(unit: Unit): void {
    this.#units.push(unit);
    if (this.#units.length > 1) return;
    this.#addedAt = performance.now();
    this.#lookedAt = this.#addedAt;
    setImmediate(this.#gather);
  }

  /** Waits for more units while the turns of the event loop are long, because a commit costs as much as several units. */
  readonly #gather = (): void => {
    const now = performance.now();
    const isBusy = now - this.#lookedAt >= BUSY_TURN_MS;
    this.#lookedAt = now;
    if (isBusy && now - this.#addedAt < MAX_GATHER_MS) setImmediate(this.#gather);
    else this.#flush();
  };

  readonly #flush = (): void => {
    // What goes on after the commit sees how long the writes took.
    beginTurn();
    const units = this.#units;
    this.#units = [];
    try {
      this.#options.verify();
      // "Immediate" takes the write lock first, so nothing has been written if the lock is refused.
      const done = this.#group.immediate(units);
      this.#busySince = null;
      this.#options.onCommit();
      this.#postpone(units.slice(done.length));
      for (const settle of done) settle();
    } catch (cause) {
      this.#options.onRollback();
      for (const unit of units) unit.onRollback();
      if (hasCode(cause, "SQLITE_BUSY")) return this.#waitForLock(cause, units);
      this.#busySince = null;
      const error = this.#options.explain(cause);
      for (const unit of units) unit.settle({ error });
    }
  };

  /** Units that were added during the transaction come after these. */
  #postpone(rest: readonly Unit[]): void {
    if (rest.length > 0 && this.#units.length === 0) setImmediate(this.#flush);
    this.#units = [...rest, ...this.#units];
  }

  /** Tries again later, except those that have waited for too long. */
  #waitForLock(cause: unknown, units: readonly Unit[]): void {
    this.#busySince ??= performance.now();
    const { lockedMs } = this;
    const patient = units.filter(({ maxBusyMs }) => lockedMs < maxBusyMs);
    this.#units = [...patient, ...this.#units];
    if (this.#units.length > 0) setTimeout(this.#flush, RETRY_MS);
    const late = units.filter(({ maxBusyMs }) => lockedMs >= maxBusyMs);
    const error = late.length > 0 ? this.#options.explain(cause) : null;
    for (const unit of late) unit.settle({ error });
  }

  #performInTurn(units: readonly Unit[]): (() => void)[] {
    const done: (() => void)[] = [];
    const until = performance.now() + TURN_MS;
    for (const unit of units) {
      done.push(this.#perform(unit));
      if (performance.now() >= until) break;
    }
    return done;
  }

  #perform(unit: Unit): () => void {
    const { work, settle } = unit;
    try {
      const value = this.#single(work);
      return () => settle({ value });
    } catch (error) {
      this.#options.onRollback();
      unit.onRollback();
      // SQLite commits no transaction that met a damaged page, and a full disk rolls it back: all its units fail.
      if (!this.#database.inTransaction || damageOf(error) !== null) throw error;
      return () => settle({ error: this.#options.explain(error) });
    }
  }
}
