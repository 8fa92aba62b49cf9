import { sql } from "kysely";
import type { SegmentEnd } from "../domain/ports/run-store.ts";
import type { Termination } from "../domain/run.ts";
import { change, firstRow, type Transaction } from "./database.ts";
import type { LogWriter } from "./log-writer.ts";
import type { RunQueue } from "./run-queue.ts";
import type { RunRow } from "./tables.ts";

type Ended = Extract<SegmentEnd, { type: "ended" }>;

/** Ends runs, in the transactions of those who have a reason to. */
export class Ending {
  readonly #log: LogWriter;
  readonly #queue: RunQueue;

  constructor(log: LogWriter, queue: RunQueue) {
    this.#log = log;
    this.#queue = queue;
  }

  /** Its place in the queue is given up separately: a waiting run has none. */
  async end(tx: Transaction, runId: string, { status, termination, report, error }: Ended, at: number): Promise<void> {
    const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
    const began = sql`coalesce(started_at, created_at)`;
    await change(
      tx,
      sql`update runs set status = ${status}, ended_at = case when ${began} > ${at} then ${began} else ${at} end,
        termination = ${json(termination)}, report = ${json(report)}, error = ${json(error)} where id = ${runId}`,
    );
    await change(tx, sql`delete from replies where run_id = ${runId}`);
  }

  /** Cancels a run that is not in flight. */
  async cancel(tx: Transaction, { id, status, ready }: Pick<RunRow, "id" | "status" | "ready">, at: number): Promise<void> {
    const termination: Termination = { reason: "cancelled", node: null, detail: `while it was ${status}` };
    await this.#log.addLifecycle(tx, id, "cancel", { type: "run-ended", status: "cancelled", termination }, at);
    await this.end(tx, id, { type: "ended", status: "cancelled", termination, report: null, error: null }, at);
    if (status === "queued" && ready === 1) await this.leaveQueue(tx, id);
  }

  async leaveQueue(tx: Transaction, runId: string): Promise<void> {
    const place = await firstRow(tx, sql<RunRow>`select id, tenant, thread_id from runs where id = ${runId}`);
    if (place !== undefined) await this.#queue.leave(tx, place);
  }
}
