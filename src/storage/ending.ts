import { sql } from "kysely";
import type { SegmentEnd } from "../domain/ports/run-store.ts";
import type { Termination } from "../domain/run.ts";
import { change, firstRow, type Transaction } from "./database.ts";
import type { RunTables } from "./run-tables.ts";
import type { RunRow } from "./tables.ts";
import { addDeliveries } from "./webhook-store.ts";

type Ended = Extract<SegmentEnd, { type: "ended" }>;

/** Its place in the queue, which is returned, is given up separately: a waiting run has none. */
export async function endRun(tx: Transaction, runId: string, { status, termination, report, error }: Ended, at: number) {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  const began = sql`coalesce(started_at, created_at)`;
  const place = await firstRow(
    tx,
    sql<
      Pick<RunRow, "id" | "tenant" | "thread_id">
    >`update runs set status = ${status}, ended_at = case when ${began} > ${at} then ${began} else ${at} end,
      termination = ${json(termination)}, report = ${json(report)}, error = ${json(error)} where id = ${runId} returning id, tenant, thread_id`,
  );
  await change(tx, sql`delete from replies where run_id = ${runId}`);
  await addDeliveries(tx, runId, `run.${status}`, at);
  return place;
}

/** Cancels a run that is not in flight. */
export async function cancelRun(
  tx: Transaction,
  { log, queue }: RunTables,
  { id, status, ready }: Pick<RunRow, "id" | "status" | "ready">,
  at: number,
): Promise<void> {
  const termination: Termination = { reason: "cancelled", node: null, detail: `while it was ${status}` };
  await log.addLifecycle(tx, id, "cancel", { type: "run-ended", status: "cancelled", termination }, at);
  const place = await endRun(tx, id, { type: "ended", status: "cancelled", termination, report: null, error: null }, at);
  if (place !== undefined && status === "queued" && ready === 1) await queue.leave(tx, place);
}
