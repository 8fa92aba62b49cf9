import type { WaitMark } from "../domain/ports/journal.ts";
import type { ClaimedRun, CrashedRun, FingerprintOf, Ownership } from "../domain/ports/run-store.ts";
import type { DossierError } from "../errors.ts";
import { failedClaim, loadClaimedRun } from "./claimed-run.ts";
import { damageOf } from "./damage.ts";
import { DamagedRuns } from "./damaged-runs.ts";
import { RunEnder } from "./run-ender.ts";
import type { RunRow } from "./schema.ts";

/** Stands for the id of a run in a note. */
const NO_RUN = "no run";

/** Gives queued runs to the engine, and queues those again whose process has died. */
export class RunClaimer extends RunEnder {
  readonly #damage = new DamagedRuns(this.sql);
  /** What keeps queued runs from beginning. */
  #queueDamage: DossierError | null = null;

  get damage(): DossierError | null {
    return this.unstored.damage ?? this.#queueDamage;
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
        return await this.queue.run(claimAll);
      } catch (error) {
        const damage = damageOf(error);
        if (damage === null || !this.#damage.note(runId, damage)) throw error;
      }
    }
  }

  async release({ runId, attempt }: Ownership, options: { crashed: boolean }): Promise<void> {
    const { release, releaseCrashed } = this.sql;
    await this.queue.run(() => (options.crashed ? releaseCrashed : release).run(runId, attempt));
  }

  forget(owner: Ownership): void {
    this.parts.checkpoints.drop(owner);
  }

  requeueUnfinished(): Promise<number> {
    return this.#noteDamage(() => this.#requeueAll());
  }

  async #requeueAll(): Promise<number> {
    const running = this.sql.running.all();
    const alone = running.length === 1 ? 1 : 0;
    const requeue = ({ position }: Pick<RunRow, "position">) =>
      this.queue
        .run(() => this.#requeue(position, alone))
        .catch((error: unknown) => {
          if (damageOf(error) === null) throw error;
          return 0;
        });
    const counts = await Promise.all(running.map(requeue));
    if (this.parts.marks.waited(NO_RUN)) await this.acquit(NO_RUN);
    this.parts.marks.clear();
    return counts.reduce((total, count) => total + count, 0);
  }

  /** The end of the process is charged to the runs that were at work, and for certain to one that was alone on trial. */
  #requeue(position: number, alone: 0 | 1): number {
    const { row, requeue, requeueCrashed } = this.sql;
    const runId = row.get(position)?.id ?? "";
    return (this.parts.marks.waited(runId) ? requeue.run(position) : requeueCrashed.run(alone, position)).changes;
  }

  openWaitMark(runId: string, isWaiting: () => boolean): WaitMark {
    return this.parts.marks.open(runId, isWaiting);
  }

  openQuietMark(): Pick<WaitMark, "close"> {
    const mark = this.parts.marks.open(NO_RUN, () => true);
    mark.touch();
    return mark;
  }

  async listCrashed(least: number): Promise<CrashedRun[]> {
    return this.sql.crashed.all(least).map(({ id, crashes, crashed_alone }) => ({ runId: id, crashes, alone: crashed_alone }));
  }

  async acquit(except: string): Promise<void> {
    await this.queue.run(() => this.sql.acquit.run(except));
  }

  async crashesOf(runId: string): Promise<number> {
    return this.sql.counts.get(runId)?.crashes ?? 0;
  }

  protected hold(row: RunRow, fingerprint: string, options?: { withThread: boolean }): ClaimedRun {
    this.parts.checkpoints.hold({ runId: row.id, attempt: row.attempt }, row.segment === 0);
    return loadClaimedRun(this.sql, row, fingerprint, options);
  }

  #begin(row: RunRow, fingerprint: string, at: number): ClaimedRun {
    const fault = this.#damage.faultOf(row.id);
    if (fault === undefined || fault === "thread") {
      this.log.insertLifecycle(row.id, row.head, String(row.attempt), { type: "run-started", attempt: row.attempt }, at);
      return this.hold(row, fingerprint, { withThread: fault === undefined });
    }
    this.log.fence({ runId: row.id, attempt: row.attempt }, -1);
    return failedClaim(row, fingerprint, fault);
  }
}
