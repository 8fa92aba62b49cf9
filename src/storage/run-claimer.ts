import { sql } from "kysely";
import type { ClaimedRun, RunStore } from "../domain/ports/run-store.ts";
import type { SegmentInput } from "../domain/recording.ts";
import { dropRolledBack } from "./busy-thread.ts";
import { loadClaimedRun, segmentOf } from "./claimed-run.ts";
import { allRows, firstRow, type Transaction } from "./database.ts";
import { fenced } from "./log-writer.ts";
import { takeChanges } from "./run-fork.ts";
import type { RunTables } from "./run-tables.ts";
import type { RunRow } from "./tables.ts";

type Claiming = "claim" | "restart" | "forget" | "recover" | "crashesOf" | "look";

/** Gives queued runs to the engine, and queues those again whose process has died. */
export function createRunClaimer(tables: RunTables): Pick<RunStore, Claiming> {
  const { database, log, checkpoints, replies, queue } = tables;

  async function hold(tx: Transaction, row: RunRow, fingerprint: string): Promise<ClaimedRun> {
    const owner = { runId: row.id, attempt: row.attempt };
    await checkpoints.hold(tx, owner, row.segment);
    if (row.attempt === 1) await dropRolledBack(tx, tables, row);
    else await replies.load(tx, owner, row.segment);
    return loadClaimedRun(tx, row, fingerprint);
  }

  return {
    claim(request) {
      const { at, fingerprintOf } = request;
      return queue.claim(request, async (tx, row) => {
        await log.addLifecycle(tx, row.id, String(row.attempt), { type: "run-started", attempt: row.attempt }, at, row.head);
        return hold(tx, row, fingerprintOf(row.graph));
      });
    },

    restart(owner, { reason, fingerprint, at }) {
      return database.write(
        async (tx) => {
          const { segment, epoch } = await log.fence(tx, owner, 0);
          const input = await segmentOf(tx, owner.runId, segment, epoch);
          const next = sql<RunRow>`update runs set epoch = ${epoch + 1} where id = ${owner.runId} returning *`;
          const row = (await firstRow(tx, next)) ?? fenced(owner);
          const again: SegmentInput = JSON.parse(input?.input ?? "null");
          await log.insertSegment(tx, owner.runId, segment, epoch + 1, await takeChanges(tx, row, again));
          await log.addLifecycle(tx, owner.runId, `${segment}.${epoch + 1}`, { type: "run-restarted", reason }, at);
          return hold(tx, row, fingerprint);
        },
        { about: owner.runId },
      );
    },

    forget(owner) {
      checkpoints.drop(owner);
      replies.drop(owner);
    },

    recover: () => queue.recover(),

    async look(runIds, at) {
      const lost = await queue.renew(runIds);
      const cancelled = await allRows(
        database,
        sql<Pick<RunRow, "id">>`select id from runs where status = 'running' and cancel_requested = 1`,
      );
      const due = sql`select 1 from runs where status = 'queued' and start_after is not null and start_after <= ${at} limit 1`;
      return { lost, cancelled: cancelled.map(({ id }) => id), isDue: (await firstRow(database, due)) !== undefined };
    },

    async crashesOf(runId) {
      return (await firstRow(database, sql<Pick<RunRow, "crashes">>`select crashes from runs where id = ${runId}`))?.crashes ?? 0;
    },
  };
}
