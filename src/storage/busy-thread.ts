import { sql } from "kysely";
import type { NewRun } from "../domain/ports/run-store.ts";
import { DossierError } from "../errors.ts";
import { allRows, change, firstRow, locked, type Transaction } from "./database.ts";
import { cancelRun } from "./ending.ts";
import { deleteRun } from "./run-deletion.ts";
import type { RunTables } from "./run-tables.ts";
import type { RunRow } from "./tables.ts";

type Stopped = Pick<RunRow, "id" | "status" | "ready">;

/**
 * Does to the unfinished runs of its thread what a new run wants: nothing, or it cancels them. Returns those that are in flight, which are to
 * be stopped. @throws DossierError `thread_busy` if the new run wants a thread without such runs
 */
export async function makeWay(tx: Transaction, tables: RunTables, run: NewRun): Promise<string[]> {
  const { id, tenant, threadId, onBusyThread, at } = run;
  if (onBusyThread === "enqueue") return [];
  const others = await allRows(
    tx,
    sql<Stopped>`select id, status, ready from runs where tenant = ${tenant} and thread_id = ${threadId} and id <> ${id}
      and status in ('queued', 'running', 'waiting') order by position ${locked(tx)}`,
  );
  const [first] = others;
  if (first !== undefined && onBusyThread === "reject") throw busy(first);
  const rollback = onBusyThread === "rollback" ? sql`, rolled_back = 1` : sql``;
  for (const other of others) {
    await change(tx, sql`update runs set cancel_requested = 1${rollback} where id = ${other.id}`);
    if (other.status !== "running") await cancelRun(tx, tables, other, at);
  }
  return others.filter(({ status }) => status === "running").map((other) => other.id);
}

function busy({ id, status }: Stopped): DossierError {
  const advice = "Wait for its end, cancel it, or ask with another onBusyThread.";
  return new DossierError("thread_busy", `The run ${id} of this thread is ${status}. Nothing was stored. ${advice}`);
}

/** Deletes the runs that the next run of their thread was to replace, before that one learns what the thread knows. */
export async function dropRolledBack(tx: Transaction, tables: RunTables, { id, tenant, thread_id }: RunRow): Promise<void> {
  // A new thread has the id of its first run.
  if (thread_id === id) return;
  const next = sql<Pick<RunRow, "id">>`select id from runs where tenant = ${tenant} and thread_id = ${thread_id} and rolled_back = 1
    and status in ('succeeded', 'failed', 'cancelled') limit 1`;
  for (let run = await firstRow(tx, next); run !== undefined; run = await firstRow(tx, next)) await deleteRun(tx, tables, run.id);
}
