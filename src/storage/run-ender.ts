import { sql } from "kysely";
import type { LogBatch, RunStore, SegmentEnd, UnwrittenLog } from "../domain/ports/run-store.ts";
import type { SegmentInput } from "../domain/recording.ts";
import type { Termination } from "../domain/run.ts";
import { allRows, CLIENT, change, firstRow, locked, type Transaction, type WriteOptions } from "./database.ts";
import { cancelRun, endRun } from "./ending.ts";
import { takeChanges } from "./run-fork.ts";
import type { RunTables } from "./run-tables.ts";
import type { PendingRow, RunRow } from "./tables.ts";
import { addDeliveries } from "./webhook-store.ts";

type Ending = "append" | "endSegment" | "release" | "requestCancel" | "cancelWaiting" | "answer";

export interface RunEnder extends Pick<RunStore, Ending> {
  /** Ends a run that is queued or running with the error `crashed`. */
  endCrashed(runId: string, at: number): Promise<void>;
}

/** Writes the log of a segment and how it ends: with the run, with questions to the user, or with the next segment. */
export function createRunEnder(tables: RunTables): RunEnder {
  const { database, log, checkpoints, replies, queue } = tables;

  /** Writes what the log of the attempt contains when the write begins. */
  function writeLog(
    options: Pick<WriteOptions, "about" | "isNeeded">,
    unwritten: UnwrittenLog | undefined,
    write: (tx: Transaction, batch: LogBatch) => Promise<unknown>,
  ): Promise<void> {
    let taken: LogBatch | null = null;
    const onRollback = (): void => {
      if (taken !== null) unwritten?.putBack(taken);
      taken = null;
    };
    const work = async (tx: Transaction): Promise<void> => {
      taken = unwritten?.take() ?? { records: [], events: [] };
      await write(tx, taken);
    };
    return database.write(work, { ...options, onRollback });
  }

  async function waitForUser(
    tx: Transaction,
    runId: string,
    { pending }: Extract<SegmentEnd, { type: "waiting" }>,
    at: number,
  ): Promise<void> {
    for (const { interruptId, ...body } of pending)
      await change(
        tx,
        sql`insert into pending (run_id, id, interrupt_id, body) values (${runId}, ${body.id}, ${interruptId}, ${JSON.stringify(body)})
          on conflict (run_id, id) do update set interrupt_id = excluded.interrupt_id, body = excluded.body, answer = null`,
      );
    const waits = sql<Pick<RunRow, "cancel_requested">>`update runs set status = 'waiting' where id = ${runId} returning cancel_requested`;
    // The user may have cancelled the run just before it began to wait.
    if ((await firstRow(tx, waits))?.cancel_requested === 1) await cancelRun(tx, tables, { id: runId, status: "waiting", ready: 0 }, at);
    else await addDeliveries(tx, runId, "run.waiting", at);
  }

  async function beginNext(tx: Transaction, runId: string, input: SegmentInput): Promise<void> {
    const row = await firstRow(
      tx,
      sql<RunRow>`update runs set segment = segment + 1, epoch = 0, status = 'queued', ready = 1 where id = ${runId} returning *`,
    );
    if (row === undefined) return;
    await log.insertSegment(tx, runId, row.segment, 0, await takeChanges(tx, row, input));
    await queue.enter(tx, row);
  }

  /** Runs whose segments end: that transaction writes what is not yet written. */
  const ends = new Set<string>();

  return {
    append: (owner, unwritten) =>
      writeLog({ about: owner.runId, isNeeded: () => !ends.has(owner.runId) }, unwritten, (tx, batch) => log.append(tx, owner, batch)),

    async endSegment(owner, end, { log: unwritten, lastEvents, at }) {
      const { runId } = owner;
      const writeCheckpoints = end.type === "ended" ? null : await checkpoints.prepare(owner);
      ends.add(runId);
      const writing = writeLog({ about: runId }, unwritten, async (tx, batch) => {
        const place = await log.append(tx, owner, batch, lastEvents);
        await writeCheckpoints?.(tx);
        tx.onCommit(() => {
          checkpoints.drop(owner);
          replies.drop(owner);
        });
        if (end.type === "drained") return beginNext(tx, runId, { type: "continue" });
        if (end.type === "ended") await endRun(tx, runId, end, at);
        else await waitForUser(tx, runId, end, at);
        await queue.leave(tx, place);
      });
      await writing.finally(() => ends.delete(runId));
    },

    release(owner, { crashed, log: unwritten }) {
      const { runId } = owner;
      const crashes = crashed ? sql`, crashes = crashes + 1, crashed_alone = crashed_alone + 1` : sql``;
      return writeLog({ about: runId }, unwritten, async (tx, batch) => {
        await log.append(tx, owner, batch);
        const released = sql<RunRow>`update runs set status = 'queued', ready = 1${crashes} where id = ${runId} returning *`;
        const row = await firstRow(tx, released);
        if (row !== undefined) await queue.enter(tx, row);
      });
    },

    requestCancel(tenant, runId, at) {
      return database.write(async (tx) => {
        const row = await firstRow(
          tx,
          sql<
            Pick<RunRow, "status" | "ready">
          >`select status, ready from runs where id = ${runId} and tenant = ${tenant} ${locked(database)}`,
        );
        if (row === undefined) return "unknown";
        if (row.status === "running") {
          await change(tx, sql`update runs set cancel_requested = 1 where id = ${runId}`);
          return "requested";
        }
        if (row.status !== "queued" && row.status !== "waiting") return "ended";
        await cancelRun(tx, tables, { ...row, id: runId }, at);
        return "cancelled";
      }, CLIENT);
    },

    async endCrashed(runId, at) {
      await database.write(async (tx) => {
        const row = await firstRow(tx, sql<RunRow>`select * from runs where id = ${runId} ${locked(database)}`);
        if (row === undefined || !["queued", "running"].includes(row.status)) return;
        const message =
          "Processes died again and again while they executed this run. The recorded results are kept. Ask again to try once more.";
        const termination: Termination = { reason: "failed", node: null, detail: message };
        await log.addLifecycle(tx, runId, "crashed", { type: "run-ended", status: "failed", termination }, at);
        await endRun(tx, runId, { type: "ended", status: "failed", termination, report: null, error: { code: "crashed", message } }, at);
        await queue.leave(tx, row);
      });
    },

    cancelWaiting(before, at) {
      return database.write(async (tx) => {
        const late = sql<Pick<RunRow, "id">>`select id from runs where status = 'waiting'
          and (select at from events where run_id = runs.id order by seq desc limit 1) < ${before} limit 100`;
        const ids = (await allRows(tx, late)).map(({ id }) => id);
        for (const id of ids) await cancelRun(tx, tables, { id, status: "waiting; nobody answered in time", ready: 0 }, at);
        return ids;
      });
    },

    answer(runId, pendingId, answer, at) {
      return database.write(async (tx) => {
        const answered = await change(
          tx,
          sql`update pending set answer = ${JSON.stringify(answer)} where run_id = ${runId} and id = ${pendingId} and answer is null
            and exists (select 1 from runs where runs.id = pending.run_id and status = 'waiting')`,
        );
        if (answered === 0) return false;
        await log.addLifecycle(tx, runId, pendingId, { type: "run-resumed", pendingId }, at);
        const rows = await allRows(
          tx,
          sql<Pick<PendingRow, "id" | "answer">>`select id, answer from pending where run_id = ${runId}
            and id like (select segment from runs where runs.id = ${runId}) || '.%'`,
        );
        if (rows.some((row) => row.answer === null)) return true;
        const answers = Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.answer ?? "null")]));
        await beginNext(tx, runId, { type: "answer", answers });
        return true;
      }, CLIENT);
    },
  };
}
