import type Database from "better-sqlite3";
import type { JsonValue } from "../domain/json.ts";
import type { LogBatch, Ownership, RunStore, SegmentEnd, SegmentEnding, UnwrittenLog } from "../domain/ports/run-store.ts";
import type { SegmentInput } from "../domain/recording.ts";
import type { Termination } from "../domain/run.ts";
import type { DossierError } from "../errors.ts";
import { damageOf, ifUndamaged } from "./damage.ts";
import type { EventTail } from "./event-tail.ts";
import { LogWriter } from "./log-writer.ts";
import { RunReader } from "./run-reader.ts";
import type { SegmentSaver } from "./segment-saver.ts";
import type { SqliteThreadMaterial } from "./thread-material.ts";
import type { WaitMarks } from "./wait-marks.ts";
import { CLIENT_BUSY_MS, type WriteQueue } from "./write-queue.ts";

export const CLIENT = { maxBusyMs: CLIENT_BUSY_MS };

export interface RunStoreParts {
  readonly checkpoints: SegmentSaver;
  readonly marks: WaitMarks;
  readonly threads: SqliteThreadMaterial;
  readonly dataDir: string;
  /** Empties the write-ahead log when nothing is written. The database file shrinks only then. */
  readonly emptyLog: () => void;
  readonly tail: EventTail;
}

/** Writes the log of a segment and how it ends: with the run, with questions to the user, or with the next segment. */
export class RunEnder extends RunReader {
  protected readonly queue: WriteQueue;
  protected readonly parts: RunStoreParts;
  protected readonly log: LogWriter;

  constructor(raw: Database.Database, queue: WriteQueue, parts: RunStoreParts) {
    super(raw, parts.tail);
    this.queue = queue;
    this.parts = parts;
    this.log = new LogWriter(this.sql, parts.tail);
  }

  append(owner: Ownership, log: UnwrittenLog): Promise<void> {
    return this.#writeLog(log, (batch) => this.log.append(owner, batch));
  }

  async endSegment(owner: Ownership, end: SegmentEnd, { log, lastEvents, at }: SegmentEnding): Promise<DossierError | null> {
    const { runId } = owner;
    const writeCheckpoints = end.type === "ended" ? () => undefined : await this.parts.checkpoints.prepare(owner);
    const write = (batch: LogBatch): void => {
      this.log.append(owner, batch, lastEvents);
      writeCheckpoints();
      this.parts.checkpoints.drop(owner);
      if (end.type === "ended") this.#end(runId, end, at);
      else if (end.type === "waiting") this.#wait(runId, end, at);
      else this.#nextSegment(runId, { type: "continue" });
    };
    const ifDamaged = (next: (damage: DossierError) => DossierError | Promise<DossierError>) => (error: unknown) => {
      const damage = damageOf(error);
      if (damage === null) throw error;
      return next(damage);
    };
    return this.#writeLog(log, write)
      .then(() => null)
      .catch(ifDamaged((damage) => this.#endDamaged(owner, damage, at, true)))
      .catch(ifDamaged((damage) => this.#endDamaged(owner, damage, at, false)))
      .catch(ifDamaged((damage) => this.#endUnstored(owner, damage, at)));
  }

  requestCancel(tenant: string, runId: string, at: number): ReturnType<RunStore["requestCancel"]> {
    return this.queue.run(() => {
      const row = this.sql.run.get(runId, tenant);
      if (row === undefined) return "unknown";
      if (this.unstored.has(runId)) return "ended";
      if (row.status === "running") {
        this.sql.requestCancel.run(runId);
        return "requested";
      }
      if (row.status !== "queued" && row.status !== "waiting") return "ended";
      this.#cancel(runId, row.status, at);
      return "cancelled";
    }, CLIENT);
  }

  cancelWaiting(before: number, at: number): Promise<string[]> {
    return this.queue.run(() => {
      const ids = this.sql.longWaiting.all(before).map(({ id }) => id);
      for (const id of ids) this.#cancel(id, "waiting; nobody answered in time", at);
      return ids;
    });
  }

  answer(runId: string, pendingId: string, answer: JsonValue, at: number): Promise<boolean> {
    return this.queue.run(() => {
      if (this.sql.answerPending.run(JSON.stringify(answer), runId, pendingId).changes === 0) return false;
      this.log.addLifecycle(runId, pendingId, { type: "run-resumed", pendingId }, at);
      const rows = this.sql.answers.all(runId);
      if (rows.some((row) => row.answer === null)) return true;
      const answers = Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.answer ?? "null")]));
      this.#nextSegment(runId, { type: "answer", answers });
      return true;
    }, CLIENT);
  }

  protected insertSegment(runId: string, position: number, epoch: number, input: SegmentInput): void {
    this.sql.insertSegment.run(runId, position, epoch, JSON.stringify(input));
  }

  /** Writes what the log contains when the write begins. */
  #writeLog(log: UnwrittenLog, write: (batch: LogBatch) => void): Promise<void> {
    let taken: LogBatch | null = null;
    const onRollback = (): void => {
      if (taken !== null) log.putBack(taken);
      taken = null;
    };
    return this.queue.run(
      () => {
        taken = log.take();
        write(taken);
      },
      { onRollback },
    );
  }

  /** Ends a run whose pages are damaged. With `isWhole`, writes the event `run-ended`, and deletes what the run needs no more. */
  async #endDamaged(owner: Ownership, damage: DossierError, at: number, isWhole: boolean): Promise<DossierError> {
    const { code, message } = damage;
    const termination: Termination = { reason: "failed", node: null, detail: message };
    await this.queue.run(() => {
      this.log.fence(owner, 0);
      this.parts.checkpoints.drop(owner);
      if (isWhole) this.log.addLifecycle(owner.runId, code, { type: "run-ended", status: "failed", termination }, at);
      if (isWhole) this.sql.deleteAllReplies.run(owner.runId);
      this.#setEnded(owner.runId, { type: "ended", status: "failed", termination, report: null, error: { code, message } }, at);
    });
    return damage;
  }

  #endUnstored(owner: Ownership, damage: DossierError, at: number): DossierError {
    this.parts.checkpoints.drop(owner);
    const head = ifUndamaged(() => this.sql.counts.get(owner.runId)?.head, 0) ?? 0;
    return this.unstored.add(owner.runId, damage, { at, head });
  }

  #end(runId: string, end: Extract<SegmentEnd, { type: "ended" }>, at: number): void {
    this.#setEnded(runId, end, at);
    this.sql.deleteAllReplies.run(runId);
  }

  #setEnded(runId: string, { status, termination, report, error }: Extract<SegmentEnd, { type: "ended" }>, at: number): void {
    const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
    this.sql.end.run(status, at, json(termination), json(report), json(error), runId);
  }

  #cancel(runId: string, status: string, at: number): void {
    const termination: Termination = { reason: "cancelled", node: null, detail: `while it was ${status}` };
    this.log.addLifecycle(runId, "cancel", { type: "run-ended", status: "cancelled", termination }, at);
    this.#end(runId, { type: "ended", status: "cancelled", termination, report: null, error: null }, at);
  }

  #wait(runId: string, { pending }: Extract<SegmentEnd, { type: "waiting" }>, at: number): void {
    for (const { interruptId, ...body } of pending) this.sql.insertPending.run(runId, body.id, interruptId, JSON.stringify(body));
    // The user may have cancelled the run just before it began to wait.
    if (this.sql.setWaiting.get(runId)?.cancel_requested === 1) this.#cancel(runId, "waiting", at);
  }

  #nextSegment(runId: string, input: SegmentInput): void {
    const row = this.sql.beginNext.get(runId);
    if (row !== undefined) this.insertSegment(runId, row.segment, 0, input);
  }
}
