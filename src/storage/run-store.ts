import { sql } from "kysely";
import type { RunStore } from "../domain/ports/run-store.ts";
import { makeWay } from "./busy-thread.ts";
import { allRows, CLIENT, change, firstRow, storable } from "./database.ts";
import { createRunClaimer } from "./run-claimer.ts";
import { createRunEnder, type RunEnder } from "./run-ender.ts";
import { createRunFork } from "./run-fork.ts";
import { openRuns, type Queued, readiness } from "./run-queue.ts";
import { createRunReader } from "./run-reader.ts";
import { openTables, type RunStoreParts, type RunTables, sameKey } from "./run-tables.ts";
import type { RunRow } from "./tables.ts";

const PROBE = "";
const PROBE_SIZE = 256 * 1024;

type OfSpace = "isLocked" | "bytes" | "lastingBytes" | "otherBytes" | "freeSpace";

export interface RunRecords extends Omit<RunStore, OfSpace>, Pick<RunEnder, "endCrashed"> {
  /** Writes a run and deletes it. */
  tryWrite(): Promise<void>;
}

/** The write methods throw `fenced` if the attempt no longer owns the run. */
export function createRunStore(parts: RunStoreParts): RunRecords {
  const tables = openTables(parts);
  return {
    ...createRunReader(tables),
    ...createRunEnder(tables),
    ...createRunClaimer(tables),
    ...createRunKeeper(tables),
    ...createRunFork(tables),
    repliesOf: parts.replies.of,
  };
}

/** Creates, names and deletes runs. */
function createRunKeeper(tables: RunTables): Pick<RunRecords, "create" | "rename" | "delete" | "listEnded" | "tryWrite"> {
  const { database, log, threads, queue, deletion } = tables;

  return {
    create(run) {
      const { id, tenant, threadId, request, task, idempotencyKey, requestHash, startAfter, at } = run;
      return database.write(async (tx) => {
        if (threadId !== id) await queue.lockThread(tx, { tenant, thread_id: threadId });
        const values = [id, tenant, threadId, request.graph, storable(request.question), JSON.stringify(request)];
        const created = await firstRow(
          tx,
          sql<Queued & Pick<RunRow, "ready">>`insert into runs (id, tenant, thread_id, graph, question, request, limits, status, head,
              idempotency_key, request_hash, created_at, start_after, ready, priority)
            values (${sql.join([...values, JSON.stringify(task.limits), "queued", 1, idempotencyKey, requestHash, at, startAfter])},
              ${readiness(run)}, case when exists (${openRuns(tenant)}) then 0 else 1 end)
            on conflict (tenant, idempotency_key) where idempotency_key is not null do nothing
            returning id, tenant, thread_id, priority, start_after, ready`,
        );
        const first = created === undefined ? await firstRow(tx, sameKey(tenant, idempotencyKey ?? "")) : undefined;
        if (first !== undefined) return { id: first.id, created: false, requestHash: first.request_hash, stopped: [] };
        await log.insertSegment(tx, id, 0, 0, { type: "start", task });
        await log.addLifecycle(tx, id, "0", { type: "run-queued" }, at, 1);
        if (created !== undefined && created.ready === 1) await queue.enter(tx, created, true);
        return { id, created: true, requestHash, stopped: await makeWay(tx, tables, run) };
      }, CLIENT);
    },

    rename(tenant, runId, title) {
      return database.write(async (tx) => {
        const known = await firstRow(tx, sql`select 1 from runs where id = ${runId} and tenant = ${tenant}`);
        if (known === undefined) return false;
        if (title === null) await change(tx, sql`delete from titles where run_id = ${runId}`);
        else
          await change(
            tx,
            sql`insert into titles (run_id, title) values (${runId}, ${storable(title)})
              on conflict (run_id) do update set title = excluded.title`,
          );
        return true;
      }, CLIENT);
    },

    delete(tenant, runId) {
      return database.write(async (tx) => {
        const row = await firstRow(
          tx,
          sql<Pick<RunRow, "thread_id">>`select thread_id from runs
            where id = ${runId} and tenant = ${tenant} and status not in ('queued', 'running')`,
        );
        if (row === undefined) return false;
        await deletion.withDocuments(tx, runId);
        // The material of a thread is kept as long as the thread has runs.
        const place = { tenant, threadId: row.thread_id };
        const others = sql`select 1 from runs where tenant = ${tenant} and thread_id = ${place.threadId} limit 1`;
        if ((await firstRow(tx, others)) === undefined) await threads.deleteThread(tx, place);
        return true;
      }, CLIENT);
    },

    listEnded(before, limit) {
      return allRows(
        database,
        sql<Pick<RunRow, "tenant" | "id">>`select tenant, id from runs where status in ('succeeded', 'failed', 'cancelled')
          and ended_at < ${before} order by ended_at, position limit ${limit}`,
      );
    },

    async tryWrite() {
      await database.write(async (tx) => {
        const values = [PROBE, PROBE, PROBE, PROBE, PROBE, "x".repeat(PROBE_SIZE), "", "probe", "", 0];
        await change(
          tx,
          sql`insert into runs (id, tenant, thread_id, graph, question, request, limits, status, request_hash, created_at)
            values (${sql.join(values)}) on conflict (id) do nothing`,
        );
        await log.insertSegment(tx, PROBE, 0, 0, { type: "continue" });
        await log.addLifecycle(tx, PROBE, PROBE, { type: "run-queued" }, 0, 1);
        await deletion.rows(tx, PROBE);
      }, CLIENT);
    },
  };
}
