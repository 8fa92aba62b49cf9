import { sql } from "kysely";
import type { ClaimRequest, NewRun } from "../domain/ports/run-store.ts";
import { allRows, change, firstRow, type Transaction } from "./database.ts";
import type { RunRow } from "./tables.ts";

/** Where a run stands: runs of one thread start one after the other. */
export type Queued = Pick<RunRow, "id" | "tenant" | "thread_id" | "priority" | "start_after">;

/** Which runs may start, and who executes them. */
export interface RunQueue {
  /** Lets no other run of the thread begin or end until the transaction ends. Call it before looking at the thread. */
  lockThread(tx: Transaction, run: Pick<Queued, "tenant" | "thread_id">): Promise<void>;
  /** Call it in the transaction that made a run queued and ready. `isNew`: it also inserted the run. */
  enter(tx: Transaction, run: Queued, isNew?: boolean): Promise<void>;
  /** Call it in the transaction that ended the segment of a run, or a run that was ready: another one of its thread may start. */
  leave(tx: Transaction, run: Pick<Queued, "id" | "tenant" | "thread_id">): Promise<void>;
  /** Calls `start` for each run that it takes, in the same transaction. `isHeld`: a run waits until this process executes no other one. */
  claim<T>(request: ClaimRequest, start: (tx: Transaction, row: RunRow) => Promise<T>): Promise<{ runs: T[]; isHeld: boolean }>;
  /** Renews the leases of the runs that this process executes. Returns those that it has lost. */
  renew(runIds: readonly string[]): Promise<string[]>;
  /** Call it at the start. Returns the runs that are to be started alone, one after the other. */
  recover(): Promise<string[]>;
}

/** Makes the oldest run of a thread ready that is not, and returns it. */
export async function readyNext(tx: Transaction, { tenant, thread_id }: Pick<RunRow, "tenant" | "thread_id">): Promise<Queued[]> {
  return allRows(
    tx,
    sql<Queued>`update runs set ready = 1 where position = (select min(position) from runs
      where tenant = ${tenant} and thread_id = ${thread_id} and status = 'queued' and ready = 0)
      returning id, tenant, thread_id, priority, start_after`,
  );
}

/** Queues the runs again that were in flight in a process when it crashed. The crash counts against a run that was alone. */
export async function countCrash(tx: Transaction, ofProcess: ReturnType<typeof sql>): Promise<void> {
  const running = await firstRow(tx, sql<{ runs: number }>`select count(*) as runs from runs where status = 'running' and ${ofProcess}`);
  const alone = running?.runs === 1 ? sql`, crashed_alone = crashed_alone + 1` : sql``;
  await change(
    tx,
    sql`update runs set status = 'queued', ready = 1, crashes = crashes + 1${alone} where status = 'running' and ${ofProcess}`,
  );
}

/** How a claim changes a run. The caller inserts the event `run-started`. */
export function begin(at: number, worker: string | null) {
  return sql`status = 'running', attempt = attempt + 1, head = head + 1, worker = ${worker},
    started_at = coalesce(started_at, case when created_at > ${at} then created_at else ${at} end)`;
}

function openRuns(tenant: string) {
  return sql`select 1 from runs where status in ('queued', 'running') and tenant = ${tenant}`;
}

/** So many watched runs of a tenant go first, so that they hold up no first run of another one for long. */
const MAX_WATCHED = 20;

/** 1 for a run that starts before others: the first one of a tenant, and one that somebody watches. */
export function priorityOf({ tenant, isWatched = false }: Pick<NewRun, "tenant" | "isWatched">) {
  const before = sql`select count(*) from runs where status = 'queued' and ready = 1 and priority = 1 and tenant = ${tenant}`;
  const watched = isWatched ? sql`or (${before}) < ${MAX_WATCHED}` : sql``;
  return sql`case when not exists (${openRuns(tenant)}) ${watched} then 1 else 0 end`;
}

/** A run that starts at a time of its own waits for no other one of its thread, and none for it. */
export function readiness({ id, tenant, threadId, startAfter }: Pick<NewRun, "id" | "tenant" | "threadId" | "startAfter">) {
  if (threadId === id || startAfter !== null) return sql`1`;
  return sql`case when exists (${openRuns(tenant)} and thread_id = ${threadId} and (status = 'running' or start_after is null)) then 0 else 1 end`;
}
