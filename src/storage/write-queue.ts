import type Database from "better-sqlite3";

interface Unit {
  readonly work: () => unknown;
  readonly settle: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void;
}

/** Group commit: one transaction writes all units that were queued in one turn of the event loop. A unit that fails is left out. */
export class WriteQueue {
  readonly #database: Database.Database;
  readonly #group: Database.Transaction<(units: readonly Unit[]) => (() => void)[]>;
  readonly #single: Database.Transaction<(work: () => unknown) => unknown>;
  readonly #explain: (error: unknown) => unknown;
  #units: Unit[] = [];

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
      // A full disk rolls back the whole transaction, so all its units fail.
      if (!this.#database.inTransaction) throw error;
      return () => settle({ error: this.#explain(error) });
    }
  }
}
