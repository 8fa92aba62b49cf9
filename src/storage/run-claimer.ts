import { sql } from "kysely";
import type { ClaimedRun, RunStore } from "../domain/ports/run-store.ts";
import { loadClaimedRun, segmentOf } from "./claimed-run.ts";
import { allRows, change, type Database, firstRow, type Transaction } from "./database.ts";
import { fenced } from "./log-writer.ts";
import type { RunTables } from "./run-tables.ts";
import type { RunRow } from "./tables.ts";

type Claiming = "claim" | "restart" | "release" | "forget" | "requeueUnfinished" | "crashesOf";

/** Gives queued runs to the engine, and queues those again whose process has died. */
export function createRunClaimer({ database, log, checkpoints, replies }: RunTables): Pick<RunStore, Claiming> {
  async function hold(tx: Transaction, row: RunRow, fingerprint: string): Promise<ClaimedRun> {
    const owner = { runId: row.id, attempt: row.attempt };
    await checkpoints.hold(tx, owner, row.segment === 0);
    if (row.attempt > 1) await replies.load(tx, owner, row.segment);
    return loadClaimedRun(tx, row, fingerprint);
  }

  return {
    claim(at, limit, fingerprintOf, only) {
      return database.write(async (tx) => {
        const claimed: ClaimedRun[] = [];
        while (claimed.length < limit) {
          const row = await firstRow(tx, takeOldest(database.kind, at, only));
          if (row === undefined) break;
          await log.addLifecycle(tx, row.id, String(row.attempt), { type: "run-started", attempt: row.attempt }, at, row.head);
          claimed.push(await hold(tx, row, fingerprintOf(row.graph)));
        }
        return claimed;
      });
    },

    restart(owner, { reason, fingerprint, at }) {
      return database.write(async (tx) => {
        const { segment, epoch } = await log.fence(tx, owner, 0);
        const input = await segmentOf(tx, owner.runId, segment, epoch);
        const next = sql<RunRow>`update runs set epoch = ${epoch + 1} where id = ${owner.runId} returning *`;
        const row = (await firstRow(tx, next)) ?? fenced(owner);
        await log.insertSegment(tx, owner.runId, segment, epoch + 1, JSON.parse(input?.input ?? "null"));
        await log.addLifecycle(tx, owner.runId, `${segment}.${epoch + 1}`, { type: "run-restarted", reason }, at);
        return hold(tx, row, fingerprint);
      });
    },

    async release({ runId, attempt }, { crashed }) {
      const crashes = crashed ? sql`, crashes = crashes + 1, crashed_alone = crashed_alone + 1` : sql``;
      const statement = sql`update runs set status = 'queued'${crashes}
        where id = ${runId} and attempt = ${attempt} and status = 'running'`;
      await database.write((tx) => change(tx, statement));
    },

    forget(owner) {
      checkpoints.drop(owner);
      replies.drop(owner);
    },

    requeueUnfinished() {
      return database.write(async (tx) => {
        const running = await firstRow(tx, sql<{ runs: number }>`select count(*) as runs from runs where status = 'running'`);
        const alone = running?.runs === 1 ? sql`, crashed_alone = crashed_alone + 1` : sql``;
        await change(tx, sql`update runs set status = 'queued', crashes = crashes + 1${alone} where status = 'running'`);
        const crashedTwice = sql<Pick<RunRow, "id">>`select id from runs where status = 'queued' and crashes >= 2
          order by (select at from events where run_id = runs.id and origin = 'life/run-started/' || runs.attempt) desc, position desc`;
        return (await allRows(tx, crashedTwice)).map(({ id }) => id);
      });
    },

    async crashesOf(runId) {
      return (await firstRow(database, sql<Pick<RunRow, "crashes">>`select crashes from runs where id = ${runId}`))?.crashes ?? 0;
    },
  };
}

/** Claims the oldest queued run whose conversation thread is idle, or `only` this one. The caller inserts the event `run-started`. */
function takeOldest(kind: Database["kind"], at: number, only?: string) {
  const which = only === undefined ? sql`` : sql`and waiting.id = ${only}`;
  // Two processes must not wait for each other's run.
  const lock = kind === "postgres" ? sql`for update of waiting skip locked` : sql``;
  return sql<RunRow>`update runs set status = 'running', attempt = attempt + 1, head = head + 1,
      started_at = coalesce(started_at, case when created_at > ${at} then created_at else ${at} end)
    where position = (select waiting.position from runs waiting where waiting.status = 'queued' ${which} and not exists
      (select 1 from runs busy where busy.thread_id = waiting.thread_id and busy.tenant = waiting.tenant and busy.status = 'running')
      order by waiting.position limit 1 ${lock})
    returning *`;
}
