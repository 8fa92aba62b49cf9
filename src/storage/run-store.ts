import type { RunStore } from "../domain/ports/run-store.ts";
import { createDataSpace } from "./data-space.ts";
import { createReplies } from "./kept-replies.ts";
import { createRunClaimer } from "./run-claimer.ts";
import { createRunEnder } from "./run-ender.ts";
import { createRunReader } from "./run-reader.ts";
import { openTables, type RunStoreParts, type RunTables } from "./run-tables.ts";
import { CLIENT } from "./write-queue.ts";

const PROBE = "";
const PROBE_SIZE = 256 * 1024;

interface SqliteRunStore extends RunStore {
  /** Writes a run and deletes it. */
  tryWrite(): Promise<void>;
}

/** The write methods throw `fenced` if the attempt no longer owns the run. */
export function createRunStore(parts: RunStoreParts): SqliteRunStore {
  const tables = openTables(parts);
  const { database, queue } = tables;
  return {
    ...createRunReader(tables),
    ...createRunEnder(tables),
    ...createRunClaimer(tables),
    ...createRunKeeper(tables),
    ...createDataSpace(parts),
    repliesOf: createReplies(database, queue),
    get isLocked() {
      return queue.lockedMs > 0;
    },
  };
}

/** Creates, names and deletes runs. */
function createRunKeeper(tables: RunTables): Pick<SqliteRunStore, "create" | "rename" | "delete" | "listEnded" | "tryWrite"> {
  const { queue, sql, log, checkpoints, tail, threads } = tables;
  return {
    create(run) {
      return queue.run(() => {
        const first = run.idempotencyKey === null ? undefined : sql.findByKey.get(run.tenant, run.idempotencyKey);
        if (first !== undefined) return { id: first.id, created: false, requestHash: first.request_hash };
        const { id, tenant, threadId, request, task, idempotencyKey, requestHash, at } = run;
        const stored = [request.graph, request.question, JSON.stringify(request), JSON.stringify(task.limits)];
        sql.insertRun.run(id, tenant, threadId, ...stored, idempotencyKey, requestHash, at);
        log.insertSegment(id, 0, 0, { type: "start", task });
        log.insertLifecycle(id, 1, "0", { type: "run-queued" }, at);
        return { id, created: true, requestHash };
      }, CLIENT);
    },

    rename(tenant, runId, title) {
      return queue.run(() => {
        if (sql.head.get(runId, tenant) === undefined) return false;
        if (title === null) sql.deleteTitle.run(runId);
        else sql.setTitle.run(runId, title);
        return true;
      }, CLIENT);
    },

    delete(tenant, runId) {
      return queue.run(() => {
        const row = sql.run.get(runId, tenant);
        if (row === undefined || row.status === "queued" || row.status === "running") return false;
        sql.deleteOwnDocuments.run(runId, runId);
        sql.deleteOwnDetails.run(runId, runId);
        for (const statement of sql.deleteRun) statement.run(runId);
        checkpoints.delete(runId);
        tail.delete(runId);
        // The material of a thread is kept as long as the thread has runs.
        const place = { tenant, threadId: row.thread_id };
        if (sql.ofThread.get(tenant, place.threadId) === undefined) threads.deleteThread(place);
        return true;
      }, CLIENT);
    },

    listEnded: async (before, limit) => sql.ended.all(before, limit),

    async tryWrite() {
      await queue.run(() => {
        const { insertRun, insertEvent, insertRecord, deleteRun } = sql;
        insertRun.run(PROBE, PROBE, PROBE, PROBE, PROBE, "x".repeat(PROBE_SIZE), "", null, "", 0);
        log.insertSegment(PROBE, 0, 0, { type: "continue" });
        insertRecord.run(PROBE, 0, 0, 0, 0, PROBE, PROBE, "", 1, "", 0);
        insertEvent.run(PROBE, 1, PROBE, 0, "", "");
        sql.requestCancel.run(PROBE);
        for (const statement of deleteRun) statement.run(PROBE);
      }, CLIENT);
    },
  };
}
