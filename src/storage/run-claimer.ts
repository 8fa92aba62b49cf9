import type { ClaimedRun, FingerprintOf, RunStore } from "../domain/ports/run-store.ts";
import type { DossierError } from "../errors.ts";
import { failedClaim, loadClaimedRun } from "./claimed-run.ts";
import { damageOf } from "./damage.ts";
import { DamagedRuns } from "./damaged-runs.ts";
import { fenced } from "./log-writer.ts";
import type { RunTables } from "./run-tables.ts";
import type { RunRow } from "./schema.ts";

/** Stands for the id of a run in a note. */
const NO_RUN = "no run";

type Claiming =
  | ("claim" | "restart" | "release" | "forget" | "requeueUnfinished")
  | ("openWaitMark" | "openQuietMark" | "listCrashed" | "acquit" | "crashesOf");

interface RunClaimer extends Pick<RunStore, Claiming> {
  /** What keeps queued runs from beginning. */
  queueDamage(): DossierError | null;
}

/** Gives queued runs to the engine, and queues those again whose process has died. */
export function createRunClaimer({ queue, sql, log, unstored, checkpoints, marks }: RunTables): RunClaimer {
  const damagedRuns = new DamagedRuns(sql);
  let queueDamage: DossierError | null = null;

  async function noteDamage<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      queueDamage = null;
      return result;
    } catch (error) {
      queueDamage = damageOf(error);
      throw error;
    }
  }

  function hold(row: RunRow, fingerprint: string, options?: { withThread: boolean }): ClaimedRun {
    checkpoints.hold({ runId: row.id, attempt: row.attempt }, row.segment === 0);
    return loadClaimedRun(sql, row, fingerprint, options);
  }

  function begin(row: RunRow, fingerprint: string, at: number): ClaimedRun {
    const fault = damagedRuns.faultOf(row.id);
    if (fault === undefined || fault === "thread") {
      log.insertLifecycle(row.id, row.head, String(row.attempt), { type: "run-started", attempt: row.attempt }, at);
      return hold(row, fingerprint, { withThread: fault === undefined });
    }
    log.fence({ runId: row.id, attempt: row.attempt }, -1);
    return failedClaim(row, fingerprint, fault);
  }

  async function claim(at: number, limit: number, fingerprintOf: FingerprintOf, only?: string): Promise<ClaimedRun[]> {
    for (;;) {
      let runId: string | null = null;
      const claimAll = (): ClaimedRun[] => {
        const claimed: ClaimedRun[] = [];
        while (claimed.length < limit) {
          runId = null;
          const { positions } = damagedRuns;
          const row = only === undefined ? sql.takeOldest.get(at, positions) : sql.takeOne.get(at, positions, only);
          if (row === undefined) break;
          runId = row.id;
          claimed.push(begin(row, fingerprintOf(row.graph), at));
        }
        return claimed;
      };
      try {
        return await queue.run(claimAll);
      } catch (error) {
        const damage = damageOf(error);
        if (damage === null || !damagedRuns.note(runId, damage)) throw error;
      }
    }
  }

  /** The end of the process is charged to the runs that were at work, and for certain to one that was alone on trial. */
  function requeue(position: number, alone: 0 | 1): number {
    const runId = sql.row.get(position)?.id ?? "";
    return (marks.waited(runId) ? sql.requeue.run(position) : sql.requeueCrashed.run(alone, position)).changes;
  }

  async function requeueAll(): Promise<number> {
    const running = sql.running.all();
    const alone = running.length === 1 ? 1 : 0;
    const requeued = running.map(({ position }) =>
      queue
        .run(() => requeue(position, alone))
        .catch((error: unknown) => {
          if (damageOf(error) === null) throw error;
          return 0;
        }),
    );
    const counts = await Promise.all(requeued);
    if (marks.waited(NO_RUN)) await acquit(NO_RUN);
    marks.clear();
    return counts.reduce((total, count) => total + count, 0);
  }

  async function acquit(except: string): Promise<void> {
    await queue.run(() => sql.acquit.run(except));
  }

  return {
    queueDamage: () => queueDamage,
    async claim(at, limit, fingerprintOf, only) {
      return unstored.damage === null ? noteDamage(() => claim(at, limit, fingerprintOf, only)) : [];
    },
    restart(owner, { reason, fingerprint, at }) {
      return queue.run(() => {
        const { segment, epoch } = log.fence(owner, 0);
        const input = sql.segment.get(owner.runId, segment, epoch);
        const row = sql.setSegment.get(segment, epoch + 1, owner.runId) ?? fenced(owner);
        log.insertSegment(owner.runId, segment, epoch + 1, JSON.parse(input?.input ?? "null"));
        log.addLifecycle(owner.runId, `${segment}.${epoch + 1}`, { type: "run-restarted", reason }, at);
        return hold(row, fingerprint);
      });
    },
    async release({ runId, attempt }, { crashed }) {
      await queue.run(() => (crashed ? sql.releaseCrashed : sql.release).run(runId, attempt));
    },
    forget: (owner) => checkpoints.drop(owner),
    requeueUnfinished: () => noteDamage(requeueAll),
    openWaitMark: (runId, isWaiting) => marks.open(runId, isWaiting),
    openQuietMark() {
      const mark = marks.open(NO_RUN, () => true);
      mark.touch();
      return mark;
    },
    async listCrashed(least) {
      return sql.crashed.all(least).map(({ id, crashes, crashed_alone }) => ({ runId: id, crashes, alone: crashed_alone }));
    },
    acquit,
    crashesOf: async (runId) => sql.counts.get(runId)?.crashes ?? 0,
  };
}
