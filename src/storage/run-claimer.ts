import type { ClaimedRun, RunStore } from "../domain/ports/run-store.ts";
import { loadClaimedRun } from "./claimed-run.ts";
import { fenced } from "./log-writer.ts";
import type { RunTables } from "./run-tables.ts";
import type { RunRow } from "./schema.ts";

type Claiming = "claim" | "restart" | "release" | "forget" | "requeueUnfinished" | "crashesOf";

/** Gives queued runs to the engine, and queues those again whose process has died. */
export function createRunClaimer({ queue, sql, log, checkpoints }: RunTables): Pick<RunStore, Claiming> {
  function hold(row: RunRow, fingerprint: string): ClaimedRun {
    checkpoints.hold({ runId: row.id, attempt: row.attempt }, row.segment === 0);
    return loadClaimedRun(sql, row, fingerprint);
  }

  function begin(row: RunRow, fingerprint: string, at: number): ClaimedRun {
    log.insertLifecycle(row.id, row.head, String(row.attempt), { type: "run-started", attempt: row.attempt }, at);
    return hold(row, fingerprint);
  }

  return {
    claim(at, limit, fingerprintOf, only) {
      return queue.run(() => {
        const claimed: ClaimedRun[] = [];
        while (claimed.length < limit) {
          const row = only === undefined ? sql.takeOldest.get(at) : sql.takeOne.get(at, only);
          if (row === undefined) break;
          claimed.push(begin(row, fingerprintOf(row.graph), at));
        }
        return claimed;
      });
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
      const crashes = crashed ? 1 : 0;
      await queue.run(() => sql.release.run(crashes, crashes, runId, attempt));
    },
    forget: (owner) => checkpoints.drop(owner),
    requeueUnfinished() {
      return queue.run(() => {
        const alone = sql.countRunning.get()?.running === 1 ? 1 : 0;
        sql.requeue.run(alone);
        return sql.crashedTwice.all().map(({ id }) => id);
      });
    },
    crashesOf: async (runId) => sql.crashes.get(runId)?.crashes ?? 0,
  };
}
