import type Database from "better-sqlite3";
import type { JsonValue } from "../domain/json.ts";
import type { EffectReplies, WaitMark } from "../domain/ports/journal.ts";
import type {
  ClaimedRun,
  CrashedRun,
  FingerprintOf,
  LogBatch,
  NewRun,
  Ownership,
  RunStore,
  SegmentEnd,
  SegmentEnding,
  UnwrittenLog,
} from "../domain/ports/run-store.ts";
import type { SegmentInput } from "../domain/recording.ts";
import type { Termination } from "../domain/run.ts";
import type { DossierError } from "../errors.ts";
import { failedClaim, loadClaimedRun } from "./claimed-run.ts";
import { damageOf, ifUndamaged } from "./damage.ts";
import { DamagedRuns } from "./damaged-runs.ts";
import { fileSizes } from "./data-size.ts";
import type { EventTail } from "./event-tail.ts";
import { ReplyTable } from "./kept-replies.ts";
import { fenced, LogWriter } from "./log-writer.ts";
import { RunReader } from "./run-reader.ts";
import type { RunRow } from "./schema.ts";
import type { SegmentSaver } from "./segment-saver.ts";
import type { SqliteThreadMaterial } from "./thread-material.ts";
import type { WaitMarks } from "./wait-marks.ts";
import { CLIENT_BUSY_MS, type WriteQueue } from "./write-queue.ts";

const PROBE = "";
const CLIENT = { maxBusyMs: CLIENT_BUSY_MS };
/** Stands for the id of a run in a note. */
const NO_RUN = "no run";
const PROBE_SIZE = 256 * 1024;
/** 1 MiB of SQLite's usual pages: a step of less than 10 ms. */
const PAGES_AT_ONCE = 256;

interface RunStoreParts {
  readonly checkpoints: SegmentSaver;
  readonly marks: WaitMarks;
  readonly threads: SqliteThreadMaterial;
  readonly dataDir: string;
  /** Empties the write-ahead log when nothing is written. The database file shrinks only then. */
  readonly emptyLog: () => void;
  readonly tail: EventTail;
}

/** The write methods throw `fenced` if the attempt no longer owns the run. */
export class SqliteRunStore extends RunReader implements RunStore {
  readonly #raw: Database.Database;
  readonly #queue: WriteQueue;
  readonly #checkpoints: SegmentSaver;
  readonly #marks: WaitMarks;
  readonly #threads: SqliteThreadMaterial;
  readonly #replies: ReplyTable;
  readonly #log: LogWriter;
  readonly #damage: DamagedRuns;
  /** What keeps queued runs from beginning. */
  #queueDamage: DossierError | null = null;
  readonly #dataDir: string;
  readonly #emptyLog: () => void;

  constructor(raw: Database.Database, queue: WriteQueue, { checkpoints, marks, threads, dataDir, emptyLog, tail }: RunStoreParts) {
    super(raw, tail);
    this.#raw = raw;
    this.#queue = queue;
    this.#checkpoints = checkpoints;
    this.#marks = marks;
    this.#threads = threads;
    this.#dataDir = dataDir;
    this.#emptyLog = emptyLog;
    this.#replies = new ReplyTable(raw, queue);
    this.#log = new LogWriter(this.sql, tail);
    this.#damage = new DamagedRuns(this.sql);
  }

  get damage(): DossierError | null {
    return this.unstored.damage ?? this.#queueDamage;
  }

  create(run: NewRun): Promise<{ id: string; created: boolean; requestHash: string }> {
    return this.#queue.run(() => {
      const first = run.idempotencyKey === null ? undefined : this.sql.findByKey.get(run.tenant, run.idempotencyKey);
      if (first !== undefined) return { id: first.id, created: false, requestHash: first.request_hash };
      const { id, tenant, threadId, request, task, idempotencyKey, requestHash, at } = run;
      const stored = [request.graph, request.question, JSON.stringify(request), JSON.stringify(task.limits)];
      this.sql.insertRun.run(id, tenant, threadId, ...stored, idempotencyKey, requestHash, at);
      this.#insertSegment(id, 0, 0, { type: "start", task });
      this.#log.insertLifecycle(id, 1, "0", { type: "run-queued" }, at);
      return { id, created: true, requestHash };
    }, CLIENT);
  }

  async claim(at: number, limit: number, fingerprintOf: FingerprintOf, only?: string): Promise<ClaimedRun[]> {
    return this.unstored.damage === null ? this.#noteDamage(() => this.#claim(at, limit, fingerprintOf, only)) : [];
  }

  async #noteDamage<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#queueDamage = null;
      return result;
    } catch (error) {
      this.#queueDamage = damageOf(error);
      throw error;
    }
  }

  async #claim(at: number, limit: number, fingerprintOf: FingerprintOf, only?: string): Promise<ClaimedRun[]> {
    const { takeOldest, takeOne } = this.sql;
    for (;;) {
      let runId: string | null = null;
      const claimAll = (): ClaimedRun[] => {
        const claimed: ClaimedRun[] = [];
        while (claimed.length < limit) {
          runId = null;
          const row = only === undefined ? takeOldest.get(at, this.#damage.positions) : takeOne.get(at, this.#damage.positions, only);
          if (row === undefined) break;
          runId = row.id;
          claimed.push(this.#begin(row, fingerprintOf(row.graph), at));
        }
        return claimed;
      };
      try {
        return await this.#queue.run(claimAll);
      } catch (error) {
        const damage = damageOf(error);
        if (damage === null || !this.#damage.note(runId, damage)) throw error;
      }
    }
  }

  async release({ runId, attempt }: Ownership, options: { crashed: boolean }): Promise<void> {
    const { release, releaseCrashed } = this.sql;
    await this.#queue.run(() => (options.crashed ? releaseCrashed : release).run(runId, attempt));
  }

  forget(owner: Ownership): void {
    this.#checkpoints.drop(owner);
  }

  requeueUnfinished(): Promise<number> {
    return this.#noteDamage(() => this.#requeueAll());
  }

  async #requeueAll(): Promise<number> {
    const running = this.sql.running.all();
    const alone = running.length === 1 ? 1 : 0;
    const requeue = ({ position }: Pick<RunRow, "position">) =>
      this.#queue
        .run(() => this.#requeue(position, alone))
        .catch((error: unknown) => {
          if (damageOf(error) === null) throw error;
          return 0;
        });
    const counts = await Promise.all(running.map(requeue));
    if (this.#marks.waited(NO_RUN)) await this.acquit(NO_RUN);
    this.#marks.clear();
    return counts.reduce((total, count) => total + count, 0);
  }

  /** The end of the process is charged to the runs that were at work, and for certain to one that was alone on trial. */
  #requeue(position: number, alone: 0 | 1): number {
    const { row, requeue, requeueCrashed } = this.sql;
    const runId = row.get(position)?.id ?? "";
    return (this.#marks.waited(runId) ? requeue.run(position) : requeueCrashed.run(alone, position)).changes;
  }

  openWaitMark(runId: string, isWaiting: () => boolean): WaitMark {
    return this.#marks.open(runId, isWaiting);
  }

  openQuietMark(): Pick<WaitMark, "close"> {
    const mark = this.#marks.open(NO_RUN, () => true);
    mark.touch();
    return mark;
  }

  async listCrashed(least: number): Promise<CrashedRun[]> {
    return this.sql.crashed.all(least).map(({ id, crashes, crashed_alone }) => ({ runId: id, crashes, alone: crashed_alone }));
  }

  async acquit(except: string): Promise<void> {
    await this.#queue.run(() => this.sql.acquit.run(except));
  }

  async crashesOf(runId: string): Promise<number> {
    return this.sql.counts.get(runId)?.crashes ?? 0;
  }

  append(owner: Ownership, log: UnwrittenLog): Promise<void> {
    return this.#writeLog(log, (batch) => this.#log.append(owner, batch));
  }

  repliesOf(effect: Parameters<RunStore["repliesOf"]>[0]): EffectReplies {
    return this.#replies.repliesOf(effect);
  }

  restart(owner: Ownership, { reason, fingerprint, at }: { reason: string; fingerprint: string; at: number }): Promise<ClaimedRun> {
    return this.#queue.run(() => {
      const { segment, epoch } = this.#log.fence(owner, 0);
      const input = this.sql.segment.get(owner.runId, segment, epoch);
      const row = this.sql.setSegment.get(segment, epoch + 1, owner.runId) ?? fenced(owner);
      this.#insertSegment(owner.runId, segment, epoch + 1, JSON.parse(input?.input ?? "null"));
      this.#log.addLifecycle(owner.runId, `${segment}.${epoch + 1}`, { type: "run-restarted", reason }, at);
      return this.#hold(row, fingerprint);
    });
  }

  /** Writes what the log contains when the write begins. */
  #writeLog(log: UnwrittenLog, write: (batch: LogBatch) => void): Promise<void> {
    let taken: LogBatch | null = null;
    const onRollback = (): void => {
      if (taken !== null) log.putBack(taken);
      taken = null;
    };
    return this.#queue.run(
      () => {
        taken = log.take();
        write(taken);
      },
      { onRollback },
    );
  }

  async endSegment(owner: Ownership, end: SegmentEnd, { log, lastEvents, at }: SegmentEnding): Promise<DossierError | null> {
    const { runId } = owner;
    const writeCheckpoints = end.type === "ended" ? () => undefined : await this.#checkpoints.prepare(owner);
    const write = (batch: LogBatch): void => {
      this.#log.append(owner, batch, lastEvents);
      writeCheckpoints();
      this.#checkpoints.drop(owner);
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
    return this.#queue.run(() => {
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
    return this.#queue.run(() => {
      const ids = this.sql.longWaiting.all(before).map(({ id }) => id);
      for (const id of ids) this.#cancel(id, "waiting; nobody answered in time", at);
      return ids;
    });
  }

  answer(runId: string, pendingId: string, answer: JsonValue, at: number): Promise<boolean> {
    return this.#queue.run(() => {
      if (this.sql.answerPending.run(JSON.stringify(answer), runId, pendingId).changes === 0) return false;
      this.#log.addLifecycle(runId, pendingId, { type: "run-resumed", pendingId }, at);
      const rows = this.sql.answers.all(runId);
      if (rows.some((row) => row.answer === null)) return true;
      const answers = Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.answer ?? "null")]));
      this.#nextSegment(runId, { type: "answer", answers });
      return true;
    }, CLIENT);
  }

  rename(tenant: string, runId: string, title: string | null): Promise<boolean> {
    return this.#queue.run(() => {
      if (this.sql.head.get(runId, tenant) === undefined) return false;
      if (title === null) this.sql.deleteTitle.run(runId);
      else this.sql.setTitle.run(runId, title);
      return true;
    }, CLIENT);
  }

  async delete(tenant: string, runId: string): Promise<boolean> {
    const isDeleted = await this.#queue.run(() => {
      const stored = this.sql.run.get(runId, tenant);
      const row = stored && this.unstored.ended(runId, stored);
      if (row === undefined || row.status === "queued" || row.status === "running") return false;
      this.sql.deleteOwnDocuments.run(runId, runId);
      this.sql.deleteOwnDetails.run(runId, runId);
      for (const statement of this.sql.deleteRun) statement.run(runId);
      this.#checkpoints.delete(runId);
      this.tail.delete(runId);
      // The material of a thread is kept as long as the thread has runs.
      const place = { tenant, threadId: row.thread_id };
      if (this.sql.ofThread.get(tenant, place.threadId) === undefined) this.#threads.deleteThread(place);
      return true;
    }, CLIENT);
    if (isDeleted) this.unstored.delete(runId);
    return isDeleted;
  }

  async listEnded(before: number, limit: number): Promise<{ tenant: string; id: string }[]> {
    return this.sql.ended.all(before, limit);
  }

  get isLocked(): boolean {
    return this.#queue.lockedMs > 0;
  }

  bytes(): number {
    return fileSizes(this.#dataDir)
      .values()
      .reduce((sum, size) => sum + size, 0);
  }

  lastingBytes(): number {
    const pragma = (name: string): number => Number(this.#raw.pragma(name, { simple: true }));
    const used = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
    return used + this.otherBytes();
  }

  otherBytes(): number {
    const others = [...fileSizes(this.#dataDir)].filter(([name]) => name !== "dossier.sqlite" && name !== "dossier.sqlite-wal");
    return others.reduce((sum, [, size]) => sum + size, 0);
  }

  async freeSpace(signal: AbortSignal): Promise<void> {
    const left = (): number => Number(this.#raw.pragma("freelist_count", { simple: true }));
    if (left() === 0) return;
    for (let pages = left(), before = Infinity; pages > 0 && pages < before && !signal.aborted; before = pages, pages = left()) {
      await this.#queue.run(() => this.#raw.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`));
    }
    this.#emptyLog();
  }

  async tryWrite(): Promise<void> {
    await this.#queue.run(() => {
      const { insertRun, insertEvent, insertRecord, deleteRun } = this.sql;
      insertRun.run(PROBE, PROBE, PROBE, PROBE, PROBE, "x".repeat(PROBE_SIZE), "", null, "", 0);
      this.#insertSegment(PROBE, 0, 0, { type: "continue" });
      insertRecord.run(PROBE, 0, 0, 0, 0, PROBE, PROBE, "", 1, "", 0);
      insertEvent.run(PROBE, 1, PROBE, 0, "", "");
      this.sql.requestCancel.run(PROBE);
      for (const statement of deleteRun) statement.run(PROBE);
    }, CLIENT);
  }

  #insertSegment(runId: string, position: number, epoch: number, input: SegmentInput): void {
    this.sql.insertSegment.run(runId, position, epoch, JSON.stringify(input));
  }

  #hold(row: RunRow, fingerprint: string, options?: { withThread: boolean }): ClaimedRun {
    this.#checkpoints.hold({ runId: row.id, attempt: row.attempt }, row.segment === 0);
    return loadClaimedRun(this.sql, row, fingerprint, options);
  }

  #begin(row: RunRow, fingerprint: string, at: number): ClaimedRun {
    const fault = this.#damage.faultOf(row.id);
    if (fault === undefined || fault === "thread") {
      this.#log.insertLifecycle(row.id, row.head, String(row.attempt), { type: "run-started", attempt: row.attempt }, at);
      return this.#hold(row, fingerprint, { withThread: fault === undefined });
    }
    this.#log.fence({ runId: row.id, attempt: row.attempt }, -1);
    return failedClaim(row, fingerprint, fault);
  }

  /** Ends a run whose pages are damaged. With `isWhole`, writes the event `run-ended`, and deletes what the run needs no more. */
  async #endDamaged(owner: Ownership, damage: DossierError, at: number, isWhole: boolean): Promise<DossierError> {
    const { code, message } = damage;
    const termination: Termination = { reason: "failed", node: null, detail: message };
    await this.#queue.run(() => {
      this.#log.fence(owner, 0);
      this.#checkpoints.drop(owner);
      if (isWhole) this.#log.addLifecycle(owner.runId, code, { type: "run-ended", status: "failed", termination }, at);
      if (isWhole) this.sql.deleteAllReplies.run(owner.runId);
      this.#setEnded(owner.runId, { type: "ended", status: "failed", termination, report: null, error: { code, message } }, at);
    });
    return damage;
  }

  #endUnstored(owner: Ownership, damage: DossierError, at: number): DossierError {
    this.#checkpoints.drop(owner);
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
    this.#log.addLifecycle(runId, "cancel", { type: "run-ended", status: "cancelled", termination }, at);
    this.#end(runId, { type: "ended", status: "cancelled", termination, report: null, error: null }, at);
  }

  #wait(runId: string, { pending }: Extract<SegmentEnd, { type: "waiting" }>, at: number): void {
    for (const { interruptId, ...body } of pending) this.sql.insertPending.run(runId, body.id, interruptId, JSON.stringify(body));
    // The user may have cancelled the run just before it began to wait.
    if (this.sql.setWaiting.get(runId)?.cancel_requested === 1) this.#cancel(runId, "waiting", at);
  }

  #nextSegment(runId: string, input: SegmentInput): void {
    const row = this.sql.beginNext.get(runId);
    if (row !== undefined) this.#insertSegment(runId, row.segment, 0, input);
  }
}
