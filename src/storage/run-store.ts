import type { EffectReplies } from "../domain/ports/journal.ts";
import type { ClaimedRun, NewRun, Ownership, RunStore } from "../domain/ports/run-store.ts";
import { fileSizes } from "./data-size.ts";
import { ReplyTable } from "./kept-replies.ts";
import { fenced } from "./log-writer.ts";
import { RunClaimer } from "./run-claimer.ts";
import { CLIENT } from "./run-ender.ts";

const PROBE = "";
const PROBE_SIZE = 256 * 1024;
/** 1 MiB of SQLite's usual pages: a step of less than 10 ms. */
const PAGES_AT_ONCE = 256;

/** The write methods throw `fenced` if the attempt no longer owns the run. */
export class SqliteRunStore extends RunClaimer implements RunStore {
  readonly #replies = new ReplyTable(this.database, this.queue);

  create(run: NewRun): Promise<{ id: string; created: boolean; requestHash: string }> {
    return this.queue.run(() => {
      const first = run.idempotencyKey === null ? undefined : this.sql.findByKey.get(run.tenant, run.idempotencyKey);
      if (first !== undefined) return { id: first.id, created: false, requestHash: first.request_hash };
      const { id, tenant, threadId, request, task, idempotencyKey, requestHash, at } = run;
      const stored = [request.graph, request.question, JSON.stringify(request), JSON.stringify(task.limits)];
      this.sql.insertRun.run(id, tenant, threadId, ...stored, idempotencyKey, requestHash, at);
      this.insertSegment(id, 0, 0, { type: "start", task });
      this.log.insertLifecycle(id, 1, "0", { type: "run-queued" }, at);
      return { id, created: true, requestHash };
    }, CLIENT);
  }

  repliesOf(effect: Parameters<RunStore["repliesOf"]>[0]): EffectReplies {
    return this.#replies.repliesOf(effect);
  }

  restart(owner: Ownership, { reason, fingerprint, at }: { reason: string; fingerprint: string; at: number }): Promise<ClaimedRun> {
    return this.queue.run(() => {
      const { segment, epoch } = this.log.fence(owner, 0);
      const input = this.sql.segment.get(owner.runId, segment, epoch);
      const row = this.sql.setSegment.get(segment, epoch + 1, owner.runId) ?? fenced(owner);
      this.insertSegment(owner.runId, segment, epoch + 1, JSON.parse(input?.input ?? "null"));
      this.log.addLifecycle(owner.runId, `${segment}.${epoch + 1}`, { type: "run-restarted", reason }, at);
      return this.hold(row, fingerprint);
    });
  }

  rename(tenant: string, runId: string, title: string | null): Promise<boolean> {
    return this.queue.run(() => {
      if (this.sql.head.get(runId, tenant) === undefined) return false;
      if (title === null) this.sql.deleteTitle.run(runId);
      else this.sql.setTitle.run(runId, title);
      return true;
    }, CLIENT);
  }

  async delete(tenant: string, runId: string): Promise<boolean> {
    const isDeleted = await this.queue.run(() => {
      const stored = this.sql.run.get(runId, tenant);
      const row = stored && this.unstored.ended(runId, stored);
      if (row === undefined || row.status === "queued" || row.status === "running") return false;
      this.sql.deleteOwnDocuments.run(runId, runId);
      this.sql.deleteOwnDetails.run(runId, runId);
      for (const statement of this.sql.deleteRun) statement.run(runId);
      this.parts.checkpoints.delete(runId);
      this.tail.delete(runId);
      // The material of a thread is kept as long as the thread has runs.
      const place = { tenant, threadId: row.thread_id };
      if (this.sql.ofThread.get(tenant, place.threadId) === undefined) this.parts.threads.deleteThread(place);
      return true;
    }, CLIENT);
    if (isDeleted) this.unstored.delete(runId);
    return isDeleted;
  }

  async listEnded(before: number, limit: number): Promise<{ tenant: string; id: string }[]> {
    return this.sql.ended.all(before, limit);
  }

  get isLocked(): boolean {
    return this.queue.lockedMs > 0;
  }

  bytes(): number {
    return fileSizes(this.parts.dataDir)
      .values()
      .reduce((sum, size) => sum + size, 0);
  }

  lastingBytes(): number {
    const pragma = (name: string): number => Number(this.database.pragma(name, { simple: true }));
    const used = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
    return used + this.otherBytes();
  }

  otherBytes(): number {
    const others = [...fileSizes(this.parts.dataDir)].filter(([name]) => name !== "dossier.sqlite" && name !== "dossier.sqlite-wal");
    return others.reduce((sum, [, size]) => sum + size, 0);
  }

  async freeSpace(signal: AbortSignal): Promise<void> {
    const left = (): number => Number(this.database.pragma("freelist_count", { simple: true }));
    if (left() === 0) return;
    for (let pages = left(), before = Infinity; pages > 0 && pages < before && !signal.aborted; before = pages, pages = left()) {
      await this.queue.run(() => this.database.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`));
    }
    this.parts.emptyLog();
  }

  async tryWrite(): Promise<void> {
    await this.queue.run(() => {
      const { insertRun, insertEvent, insertRecord, deleteRun } = this.sql;
      insertRun.run(PROBE, PROBE, PROBE, PROBE, PROBE, "x".repeat(PROBE_SIZE), "", null, "", 0);
      this.insertSegment(PROBE, 0, 0, { type: "continue" });
      insertRecord.run(PROBE, 0, 0, 0, 0, PROBE, PROBE, "", 1, "", 0);
      insertEvent.run(PROBE, 1, PROBE, 0, "", "");
      this.sql.requestCancel.run(PROBE);
      for (const statement of deleteRun) statement.run(PROBE);
    }, CLIENT);
  }
}
