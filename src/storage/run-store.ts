import { sql } from "kysely";
import type { RunStore } from "../domain/ports/run-store.ts";
import { makeWay } from "./busy-thread.ts";
import { allRows, CLIENT, change, firstRow, storable } from "./database.ts";
import { createRunClaimer } from "./run-claimer.ts";
import { deleteRun } from "./run-deletion.ts";
import { createRunEnder, type RunEnder } from "./run-ender.ts";
import { createRunFork } from "./run-fork.ts";
import { priorityOf, type Queued, readiness } from "./run-queue.ts";
import { createRunReader } from "./run-reader.ts";
import { type RunTables, sameKey } from "./run-tables.ts";
import { admit, reservedBy } from "./spending.ts";
import type { RunRow } from "./tables.ts";
import { ofTenants, ownThread } from "./thread-owners.ts";

type OfSpace = "bytes" | "lastingBytes" | "freeSpace";

/** The write methods throw `fenced` if the attempt no longer owns the run. */
export function createRunStore(tables: RunTables): Omit<RunStore, OfSpace> & Pick<RunEnder, "endCrashed"> {
  return {
    ...createRunReader(tables),
    ...createRunEnder(tables),
    ...createRunClaimer(tables),
    ...createRunKeeper(tables),
    ...createRunFork(tables),
    repliesOf: tables.replies.of,
  };
}

/** Creates, names and deletes runs. */
function createRunKeeper(tables: RunTables): Pick<RunStore, "create" | "rename" | "delete" | "listEnded"> {
  const { database, log, threads, queue } = tables;

  return {
    create(run) {
      const { id, tenant, threadId, owner, traceparent = null, request, task, idempotencyKey, requestHash, startAfter, at } = run;
      return database.write(async (tx) => {
        if (threadId !== id) await queue.lockThread(tx, { tenant, thread_id: threadId });
        if (threadId !== id || owner !== null) await ownThread(tx, run);
        await admit(tx, run);
        const values = [id, tenant, threadId, owner, traceparent, request.graph, storable(request.question), JSON.stringify(request)];
        const reserved = reservedBy(run.admission);
        const created = await firstRow(
          tx,
          sql<
            Queued & Pick<RunRow, "ready">
          >`insert into runs (id, tenant, thread_id, owner, traceparent, graph, question, request, limits, status, head,
              idempotency_key, request_hash, created_at, start_after, reserved_tokens, reserved_usd, ready, priority)
            values (${sql.join([...values, JSON.stringify(task.limits), "queued", 1, idempotencyKey, requestHash, at, startAfter, ...reserved])},
              ${readiness(run)}, ${priorityOf(run)})
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
        await deleteRun(tx, tables, runId);
        // The material of a thread is kept as long as the thread has runs.
        const place = { tenant, threadId: row.thread_id };
        const others = sql`select 1 from runs where tenant = ${tenant} and thread_id = ${place.threadId} limit 1`;
        if ((await firstRow(tx, others)) === undefined) await threads.deleteThread(tx, place);
        return true;
      }, CLIENT);
    },

    listEnded(before, limit, whose) {
      return allRows(
        database,
        sql<Pick<RunRow, "tenant" | "id">>`select tenant, id from runs where status in ('succeeded', 'failed', 'cancelled')
          and ended_at < ${before} and ${ofTenants(whose)} order by ended_at, position limit ${limit}`,
      );
    },
  };
}
