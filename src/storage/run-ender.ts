import type { LogBatch, RunStore, SegmentEnd, UnwrittenLog } from "../domain/ports/run-store.ts";
import type { SegmentInput } from "../domain/recording.ts";
import type { Termination } from "../domain/run.ts";
import type { RunTables } from "./run-tables.ts";
import { CLIENT } from "./write-queue.ts";

type Ended = Extract<SegmentEnd, { type: "ended" }>;
type Ending = "append" | "endSegment" | "requestCancel" | "cancelWaiting" | "answer";

/** Writes the log of a segment and how it ends: with the run, with questions to the user, or with the next segment. */
export function createRunEnder({ queue, sql, log, checkpoints }: RunTables): Pick<RunStore, Ending> {
  /** Writes what the log of the attempt contains when the write begins. */
  function writeLog(unwritten: UnwrittenLog, write: (batch: LogBatch) => void): Promise<void> {
    let taken: LogBatch | null = null;
    const onRollback = (): void => {
      if (taken !== null) unwritten.putBack(taken);
      taken = null;
    };
    return queue.run(
      () => {
        taken = unwritten.take();
        write(taken);
      },
      { onRollback },
    );
  }

  function endRun(runId: string, { status, termination, report, error }: Ended, at: number): void {
    const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
    sql.end.run(status, at, json(termination), json(report), json(error), runId);
    sql.deleteAllReplies.run(runId);
  }

  function cancel(runId: string, status: string, at: number): void {
    const termination: Termination = { reason: "cancelled", node: null, detail: `while it was ${status}` };
    log.addLifecycle(runId, "cancel", { type: "run-ended", status: "cancelled", termination }, at);
    endRun(runId, { type: "ended", status: "cancelled", termination, report: null, error: null }, at);
  }

  function waitForUser(runId: string, { pending }: Extract<SegmentEnd, { type: "waiting" }>, at: number): void {
    for (const { interruptId, ...body } of pending) sql.insertPending.run(runId, body.id, interruptId, JSON.stringify(body));
    // The user may have cancelled the run just before it began to wait.
    if (sql.setWaiting.get(runId)?.cancel_requested === 1) cancel(runId, "waiting", at);
  }

  function beginNext(runId: string, input: SegmentInput): void {
    const row = sql.beginNext.get(runId);
    if (row !== undefined) log.insertSegment(runId, row.segment, 0, input);
  }

  return {
    append: (owner, unwritten) => writeLog(unwritten, (batch) => log.append(owner, batch)),

    async endSegment(owner, end, { log: unwritten, lastEvents, at }) {
      const { runId } = owner;
      const writeCheckpoints = end.type === "ended" ? () => undefined : await checkpoints.prepare(owner);
      const write = (batch: LogBatch): void => {
        log.append(owner, batch, lastEvents);
        writeCheckpoints();
        checkpoints.drop(owner);
        if (end.type === "ended") endRun(runId, end, at);
        else if (end.type === "waiting") waitForUser(runId, end, at);
        else beginNext(runId, { type: "continue" });
      };
      await writeLog(unwritten, write);
    },

    requestCancel(tenant, runId, at) {
      return queue.run(() => {
        const row = sql.run.get(runId, tenant);
        if (row === undefined) return "unknown";
        if (row.status === "running") {
          sql.requestCancel.run(runId);
          return "requested";
        }
        if (row.status !== "queued" && row.status !== "waiting") return "ended";
        cancel(runId, row.status, at);
        return "cancelled";
      }, CLIENT);
    },

    cancelWaiting(before, at) {
      return queue.run(() => {
        const ids = sql.longWaiting.all(before).map(({ id }) => id);
        for (const id of ids) cancel(id, "waiting; nobody answered in time", at);
        return ids;
      });
    },

    answer(runId, pendingId, answer, at) {
      return queue.run(() => {
        if (sql.answerPending.run(JSON.stringify(answer), runId, pendingId).changes === 0) return false;
        log.addLifecycle(runId, pendingId, { type: "run-resumed", pendingId }, at);
        const rows = sql.answers.all(runId);
        if (rows.some((row) => row.answer === null)) return true;
        const answers = Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.answer ?? "null")]));
        beginNext(runId, { type: "answer", answers });
        return true;
      }, CLIENT);
    },
  };
}
