import type Database from "better-sqlite3";
import type { DomainEvent, LifecycleEvent } from "../../domain/events.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { ClaimedRun, EndOptions, LogBatch, NewRun, Ownership, RunStore, SegmentEnd } from "../../domain/ports/run-store.ts";
import type { SegmentInput } from "../../domain/recording.ts";
import type { Report } from "../../domain/report.ts";
import type { RunStatus, Termination } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import type { CheckpointBuffer } from "../checkpoint-buffer.ts";
import { toLoggedEvent, toRecord } from "./rows.ts";
import { prepareStatements, type Statements } from "./run-statements.ts";
import type { WriteQueue } from "./write-queue.ts";

type Writes = Pick<
  RunStore,
  "create" | "claim" | "requeueUnfinished" | "append" | "restart" | "endSegment" | "requestCancel" | "answer" | "delete"
>;

/** How many earlier turns of its thread a run is shown. */
const MAX_HISTORY = 10;

/** The writing half of the run store: every method is one unit of the write queue, fenced by the run's attempt. */
export class RunWriter implements Writes {
  readonly #queue: WriteQueue;
  readonly #checkpoints: CheckpointBuffer;
  readonly #sql: Statements;

  constructor(database: Database.Database, queue: WriteQueue, checkpoints: CheckpointBuffer) {
    this.#queue = queue;
    this.#checkpoints = checkpoints;
    this.#sql = prepareStatements(database);
  }

  create(run: NewRun): Promise<{ id: string; created: boolean; requestHash: string }> {
    return this.#queue.run(() => {
      const first = run.idempotencyKey === null ? undefined : this.#sql.findByKey.get(run.tenant, run.idempotencyKey);
      if (first !== undefined) return { id: first.id, created: false, requestHash: first.request_hash };
      const { id, request, task } = run;
      const limits = JSON.stringify(task.limits);
      this.#sql.insertRun.run(
        id,
        run.tenant,
        run.threadId,
        request.graph,
        request.question,
        JSON.stringify(request),
        limits,
        run.idempotencyKey,
        run.requestHash,
        run.at,
      );
      this.#insertSegment(id, 0, 0, { type: "start", task }, run.fingerprint);
      this.#logLifecycle(id, "0", { type: "run-queued" }, run.at);
      return { id, created: true, requestHash: run.requestHash };
    });
  }

  claim(at: number, limit: number): Promise<ClaimedRun[]> {
    return this.#queue.run(() => {
      const claimed: ClaimedRun[] = [];
      for (
        let row = this.#sql.takeOldest.get(at);
        row !== undefined;
        row = claimed.length < limit ? this.#sql.takeOldest.get(at) : undefined
      ) {
        if (row.attempt === 1) this.#fillHistory(row.id, row.tenant, row.thread_id, row.position);
        this.#logLifecycle(row.id, String(row.attempt), { type: "run-started", attempt: row.attempt }, at);
        claimed.push(this.#claimed(row.id));
      }
      return claimed;
    });
  }

  requeueUnfinished(): Promise<number> {
    return this.#queue.run(() => this.#sql.requeue.run().changes);
  }

  append(owner: Ownership, take: () => LogBatch): Promise<void> {
    return this.#queue.run(() => this.#append(owner, take()));
  }

  restart(owner: Ownership, { reason, fingerprint, at }: { reason: string; fingerprint: string; at: number }): Promise<ClaimedRun> {
    return this.#queue.run(() => {
      const { segment, epoch } = this.#fence(owner, 0);
      const input = this.#sql.segment.get(owner.runId, segment, epoch);
      this.#sql.setSegment.run(segment, epoch + 1, owner.runId);
      this.#insertSegment(owner.runId, segment, epoch + 1, JSON.parse(input?.input ?? "null"), fingerprint);
      this.#logLifecycle(owner.runId, `${segment}.${epoch + 1}`, { type: "run-restarted", reason }, at);
      return this.#claimed(owner.runId);
    });
  }

  endSegment(owner: Ownership, end: SegmentEnd, options: EndOptions): Promise<void> {
    return this.#queue.run(() => {
      this.#append(owner, options.take());
      this.#sql.addTime.run(options.ranMs, owner.runId);
      if (end.type === "ended") return this.#end(owner.runId, end, options.at);
      this.#checkpoints.write(owner.runId);
      if (end.type === "waiting") return this.#wait(owner.runId, end);
      this.#nextSegment(owner.runId, { type: "continue" }, options.fingerprint);
    });
  }

  requestCancel(tenant: string, runId: string, at: number): ReturnType<RunStore["requestCancel"]> {
    return this.#queue.run(() => {
      const row = this.#sql.run.get(runId, tenant);
      if (row === undefined) return "unknown";
      if (row.status === "running") {
        this.#sql.requestCancel.run(runId);
        return "requested";
      }
      if (row.status !== "queued" && row.status !== "waiting") return "ended";
      const termination: Termination = { reason: "cancelled", node: null, detail: `while it was ${row.status}` };
      this.#logLifecycle(runId, "cancel", { type: "run-ended", status: "cancelled", termination }, at);
      this.#end(runId, { type: "ended", status: "cancelled", termination, report: null, error: null }, at);
      return "cancelled";
    });
  }

  answer(runId: string, pendingId: string, answer: JsonValue, options: { fingerprint: string; at: number }): Promise<boolean> {
    return this.#queue.run(() => {
      if (this.#sql.answerPending.run(JSON.stringify(answer), runId, pendingId).changes === 0) return false;
      this.#logLifecycle(runId, pendingId, { type: "run-resumed", pendingId }, options.at);
      const rows = this.#sql.answers.all(runId);
      if (rows.some((row) => row.answer === null)) return true;
      const answers = Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.answer ?? "null")]));
      this.#nextSegment(runId, { type: "answer", answers }, options.fingerprint);
      return true;
    });
  }

  delete(tenant: string, runId: string): Promise<boolean> {
    return this.#queue.run(() => {
      const row = this.#sql.run.get(runId, tenant);
      if (row === undefined || row.status === "queued" || row.status === "running") return false;
      for (const statement of this.#sql.deleteRun) statement.run(runId);
      this.#sql.deleteOrphans.run();
      this.#checkpoints.delete(runId);
      return true;
    });
  }

  /** Moves the head of the log under the fence; the row it returns is the run as it stands. */
  #fence(owner: Ownership, events: number): { head: number; segment: number; epoch: number } {
    const row = this.#sql.advance.get(events, owner.runId, owner.attempt);
    if (row !== undefined) return row;
    throw new DossierError("fenced", `Attempt ${owner.attempt} no longer owns run ${owner.runId}; nothing was written.`);
  }

  #append(owner: Ownership, { records, events }: LogBatch): void {
    const { head, segment, epoch } = this.#fence(owner, events.length);
    const { runId } = owner;
    for (const { ord, after, key, kind, request, ok, result, at } of records) {
      this.#sql.insertRecord.run(
        runId,
        segment,
        epoch,
        ord,
        after,
        key,
        kind,
        JSON.stringify(request),
        ok ? 1 : 0,
        JSON.stringify(result),
        at,
      );
    }
    let seq = head - events.length;
    for (const event of events) this.#sql.insertEvent.run(runId, ++seq, event.origin, event.at, event.path, event.body);
  }

  #logLifecycle(runId: string, name: string, body: LifecycleEvent | Extract<DomainEvent, { type: "run-ended" }>, at: number): void {
    const row = this.#sql.nextSeq.get(runId);
    this.#sql.insertEvent.run(runId, row?.head, `life/${body.type}/${name}`, at, "", JSON.stringify(body));
  }

  #insertSegment(runId: string, position: number, epoch: number, input: SegmentInput, fingerprint: string): void {
    this.#sql.insertSegment.run(runId, position, epoch, JSON.stringify(input), fingerprint);
  }

  /** A run sees the thread as it is when it starts, not as it was when it was queued. */
  #fillHistory(runId: string, tenant: string, threadId: string, position: number): void {
    const turns = this.#sql.history.all(tenant, threadId, position, MAX_HISTORY);
    const row = turns.length === 0 ? undefined : this.#sql.segment.get(runId, 0, 0);
    if (row === undefined) return;
    const input = JSON.parse(row.input) as Extract<SegmentInput, { type: "start" }>;
    input.task.history = turns.reverse().map(({ question, report }) => ({ question, answer: answerOf(report) }));
    this.#sql.setInput.run(JSON.stringify(input), runId);
  }

  #claimed(runId: string): ClaimedRun {
    this.#checkpoints.hold(runId);
    const row = this.#sql.claimedRun.get(runId);
    if (row === undefined) throw new DossierError("not_found", `There is no run ${runId}.`);
    const { segment, epoch, input, fingerprint } = row;
    const rows = this.#sql.records.all(runId, segment);
    const records = rows.filter((record) => record.epoch === epoch).map(toRecord);
    const cache = Array.from({ length: epoch }, (_, earlier) => rows.filter((record) => record.epoch === earlier).map(toRecord));
    const events = this.#sql.segmentEvents.all(runId, `${segment}.${epoch}/*`).map(toLoggedEvent);
    return {
      runId,
      attempt: row.attempt,
      tenant: row.tenant,
      threadId: row.thread_id,
      graph: row.graph,
      segment: { index: segment, epoch, input: JSON.parse(input), fingerprint },
      records,
      events,
      cache,
      interrupts: Object.fromEntries(this.#sql.interrupts.all(runId).map((question) => [question.id, question.interrupt_id])),
      cancelRequested: row.cancel_requested === 1,
      ranMs: row.ran_ms,
      limits: JSON.parse(row.limits),
    };
  }

  #end(runId: string, end: Extract<SegmentEnd, { type: "ended" }>, at: number): void {
    this.#checkpoints.drop(runId);
    const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
    this.#sql.end.run(end.status satisfies RunStatus, at, JSON.stringify(end.termination), json(end.report), json(end.error), runId);
  }

  #wait(runId: string, { pending }: Extract<SegmentEnd, { type: "waiting" }>): void {
    for (const { interruptId, ...body } of pending) this.#sql.insertPending.run(runId, body.id, interruptId, JSON.stringify(body));
    this.#sql.setStatus.run("waiting", runId);
  }

  #nextSegment(runId: string, input: SegmentInput, fingerprint: string): void {
    const row = this.#sql.beginNext.get(runId);
    if (row !== undefined) this.#insertSegment(runId, row.segment, 0, input, fingerprint);
  }
}

/** The most of an earlier report that a later question of its thread is shown, in UTF-16 code units. */
const MAX_ANSWER_LENGTH = 4_000;

function answerOf(report: string | null): string {
  return report === null ? "" : (JSON.parse(report) as Report).markdown.slice(0, MAX_ANSWER_LENGTH);
}
