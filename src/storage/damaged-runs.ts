import type { DossierError } from "../errors.ts";
import { ifUndamaged } from "./damage.ts";
import type { Statements } from "./run-statements.ts";

/** Remembers which runs a claim could not take, because SQLite cannot commit a transaction that met a damaged page. */
export class DamagedRuns {
  readonly #sql: Statements;
  readonly #faults = new Map<string, DossierError | "thread">();
  /** The positions of queued runs whose own row is damaged, as JSON. */
  positions = "[]";

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** `thread` means that the run may be readable without the earlier runs of its thread. */
  faultOf(runId: string): DossierError | "thread" | undefined {
    return this.#faults.get(runId);
  }

  /** Returns whether another claim may succeed. `runId` is the run that the claim could not read, or null if it could take none. */
  note(runId: string | null, damage: DossierError): boolean {
    if (runId === null) return this.#findRows();
    const known = this.#faults.get(runId);
    this.#faults.set(runId, known === undefined ? "thread" : damage);
    return known === undefined || known === "thread";
  }

  #findRows(): boolean {
    const isDamaged = (position: number): boolean => ifUndamaged(() => this.#sql.row.get(position) === undefined, true);
    const queued = this.#sql.queued.all().map(({ position }) => position);
    const before = this.positions;
    this.positions = JSON.stringify(queued.filter(isDamaged));
    return this.positions !== before;
  }
}
