import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { beginTurn } from "../../util/turns.ts";
import type { Executor, Transaction, WriteOptions } from "../database.ts";
import { hasCode } from "./sqlite-errors.ts";

interface Unit extends Required<Omit<WriteOptions, "about" | "isNeeded">> {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly settle: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void;
}

interface Options {
  /** Whether the connection is in a transaction. */
  readonly inTransaction: () => boolean;
  /** Maps each error of a unit or commit to the error that callers get. */
  readonly explain?: (error: unknown) => unknown;
  /** How long writes wait while another program holds the write lock, in milliseconds. */
  readonly maxBusyMs?: number;
  readonly onCommit?: () => void;
  /** Called before each transaction. What it throws, the transaction throws. */
  readonly verify?: () => void;
}

/** A unit of a transaction, with what is to be done after the commit. */
interface Done {
  readonly unit: Unit;
  readonly outcome: Parameters<Unit["settle"]>[0];
  readonly callbacks: readonly (() => void)[];
}

const MAX_BUSY_MS = 30_000;
const RETRY_MS = 25;
/** After this time, the other units wait for the next turn of the event loop. */
const TURN_MS = 5;
/** A turn of the event loop that takes longer does other work too, so that units may wait. */
const BUSY_TURN_MS = 1;
/** With 16 runs at once, a commit per turn is three to four commits for each run, and one per 10 ms is one. */
const MAX_GATHER_MS = 10;

const nothing = (): void => undefined;

/**
 * Group commit: writes the units of a turn of the event loop in one transaction, and those of several turns while the loop is busy. A
 * savepoint per unit lets one roll back alone. While another program holds the write lock, the units wait and the event loop goes on.
 */
export class WriteQueue {
  readonly #db: Kysely<unknown>;
  readonly #options: Required<Options>;
  #units: Unit[] = [];
  #isWriting = false;
  #addedAt = 0;
  #lookedAt = 0;
  /** When the write lock was first refused, by `performance.now()`. */
  #busySince: number | null = null;

  constructor(db: Kysely<unknown>, options: Options) {
    this.#db = db;
    this.#options = { explain: (error) => error, maxBusyMs: MAX_BUSY_MS, onCommit: nothing, verify: nothing, ...options };
  }

  /**
   * Resolves with the result of `work` after the commit; rejects with its error or the error of the commit. Rejects without performing
   * `work` if another program has held the write lock for `maxBusyMs`.
   */
  run<T>(work: (transaction: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { onRollback = nothing, maxBusyMs = this.#options.maxBusyMs } = options;
    return new Promise((resolve, reject) => {
      const settle: Unit["settle"] = (outcome) => ("value" in outcome ? resolve(outcome.value as T) : reject(outcome.error));
      this.#units.push({ work, settle, onRollback, maxBusyMs });
      if (this.#units.length === 1 && !this.#isWriting) this.#gatherFromNow();
    });
  }

  /** Resolves when everything is written, and what followed a write in its turn of the event loop is done. */
  async idle(): Promise<void> {
    do {
      if (this.#units.length > 0 || this.#isWriting) await this.run(async () => undefined).catch(() => undefined);
      await nextTurn();
    } while (this.#units.length > 0 || this.#isWriting);
  }

  /** How long another program has kept a write waiting, in milliseconds. */
  get lockedMs(): number {
    return this.#busySince === null ? 0 : performance.now() - this.#busySince;
  }

  #gatherFromNow(): void {
    this.#addedAt = performance.now();
    this.#lookedAt = this.#addedAt;
    setImmediate(this.#gather);
  }

  /** Waits for more units while the turns of the event loop are long, because a commit costs as much as several units. */
  readonly #gather = (): void => {
    if (this.#isWriting) return;
    const now = performance.now();
    const isBusy = now - this.#lookedAt >= BUSY_TURN_MS;
    this.#lookedAt = now;
    if (isBusy && now - this.#addedAt < MAX_GATHER_MS) setImmediate(this.#gather);
    else void this.#flush();
  };

  async #flush(): Promise<void> {
    // What goes on after the commit sees how long the writes took.
    beginTurn();
    this.#isWriting = true;
    const units = this.#units;
    this.#units = [];
    const isLocked = await this.#write(units);
    this.#isWriting = false;
    if (this.#units.length === 0) return;
    if (isLocked) setTimeout(() => void this.#flush(), RETRY_MS);
    else this.#gatherFromNow();
  }

  /** Returns whether another program holds the lock. */
  async #write(units: readonly Unit[]): Promise<boolean> {
    try {
      this.#options.verify();
      const done = await this.#db.connection().execute((db) => this.#transact(db, units));
      this.#busySince = null;
      this.#options.onCommit();
      // Units that were added during the transaction come after these.
      this.#units = [...units.slice(done.length), ...this.#units];
      for (const { callbacks } of done) for (const callback of callbacks) callback();
      for (const { unit, outcome } of done) unit.settle(outcome);
      return false;
    } catch (cause) {
      for (const unit of units) unit.onRollback();
      if (hasCode(cause, "SQLITE_BUSY")) return this.#waitForLock(cause, units);
      this.#busySince = null;
      const error = this.#options.explain(cause);
      for (const unit of units) unit.settle({ error });
      return false;
    }
  }

  /** Keeps the units for a later try, except those that have waited for too long. */
  #waitForLock(cause: unknown, units: readonly Unit[]): boolean {
    this.#busySince ??= performance.now();
    const { lockedMs } = this;
    this.#units = [...units.filter(({ maxBusyMs }) => lockedMs < maxBusyMs), ...this.#units];
    const late = units.filter(({ maxBusyMs }) => lockedMs >= maxBusyMs);
    const error = late.length > 0 ? this.#options.explain(cause) : null;
    for (const unit of late) unit.settle({ error });
    return true;
  }

  async #transact(db: Kysely<unknown>, units: readonly Unit[]): Promise<Done[]> {
    // "Immediate" takes the write lock first, so nothing has been written if the lock is refused.
    await sql`begin immediate`.execute(db);
    try {
      const done: Done[] = [];
      const until = performance.now() + TURN_MS;
      for (const unit of units) {
        done.push(await this.#perform(unit, db));
        if (performance.now() >= until) break;
      }
      await sql`commit`.execute(db);
      return done;
    } catch (error) {
      if (this.#options.inTransaction()) await sql`rollback`.execute(db);
      throw error;
    }
  }

  async #perform(unit: Unit, db: Executor & Kysely<unknown>): Promise<Done> {
    const callbacks: (() => void)[] = [];
    await sql`savepoint unit`.execute(db);
    try {
      const value = await unit.work({ kind: "sqlite", db, onCommit: (callback) => callbacks.push(callback) });
      await sql`release unit`.execute(db);
      return { unit, outcome: { value }, callbacks };
    } catch (error) {
      // A full disk rolls back the whole transaction, so all its units fail.
      if (!this.#options.inTransaction()) throw error;
      await sql`rollback to unit`.execute(db);
      await sql`release unit`.execute(db);
      unit.onRollback();
      return { unit, outcome: { error: this.#options.explain(error) }, callbacks: [] };
    }
  }
}
