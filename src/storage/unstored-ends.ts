import { DossierError } from "../errors.ts";
import type { EventRow, RunRow } from "./schema.ts";

interface UnstoredEnd {
  readonly damage: DossierError;
  readonly event: EventRow;
  /** The columns that the end would have changed. */
  readonly changes: Partial<RunRow>;
}

/**
 * The ends of runs that met damaged pages in every way to store them. Until a restart, what is read of such a run says that it has failed.
 * No run is claimed after the first one, so there are few.
 */
export class UnstoredEnds {
  readonly #ends = new Map<string, UnstoredEnd>();

  /** Of the run that was added last. */
  get damage(): DossierError | null {
    return [...this.#ends.values()].at(-1)?.damage ?? null;
  }

  has(runId: string): boolean {
    return this.#ends.has(runId);
  }

  /** `head` is the number of the last stored event. */
  add(runId: string, { cause }: DossierError, { at, head }: { at: number; head: number }): DossierError {
    const why = cause instanceof Error ? cause.message : "unknown";
    const message = `A part of the database is damaged (${why}), so the end of run ${runId} could not be stored. No run begins before a restart. Restore a backup.`;
    const damage = new DossierError("storage_damaged", message, { cause });
    const termination = { reason: "failed", node: null, detail: message };
    const body = JSON.stringify({ type: "run-ended", status: "failed", termination });
    const event = { run_id: runId, seq: head + 1, origin: "life/run-ended/storage_damaged", at, path: "", body };
    const error = JSON.stringify({ code: damage.code, message });
    const changes = { head: event.seq, status: "failed", ended_at: at, termination: JSON.stringify(termination), error };
    this.#ends.set(runId, { damage, event, changes });
    return damage;
  }

  delete(runId: string): void {
    this.#ends.delete(runId);
  }

  /** Returns a row as the end would have left it. */
  ended<Row extends Pick<RunRow, "head" | "status">>(runId: string, row: Row): Row {
    const end = this.#ends.get(runId);
    return end === undefined ? row : { ...row, ...end.changes };
  }

  /** Returns the last event of the run, if it comes after number `after` and the run is here. */
  lastEvent(runId: string, after: number): readonly EventRow[] {
    const event = this.#ends.get(runId)?.event;
    return event !== undefined && after < event.seq ? [event] : [];
  }
}
