import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { sql } from "kysely";
import type { WorkerState } from "../../domain/ports/run-service.ts";
import { OWN_LIMITS } from "../../domain/ports/shared-limits.ts";
import { allRows, type Database, firstRow } from "../database.ts";
import type { Shared } from "../processes.ts";
import { begin, countCrash, type RunQueue, readyNext } from "../run-queue.ts";
import type { RunRow } from "../tables.ts";

const MINUTE_MS = 60_000;
const INTERVALS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS } as const;

/** A database of SQLite has one process: it executes all runs, and performs what is scheduled. */
export function createOneProcess(database: Database, clock: () => number = Date.now): Shared & { close(): void } {
  const id = `all-${randomUUID()}`;
  const startedAt = new Date(clock()).toISOString();
  const timers: NodeJS.Timeout[] = [];
  return {
    queue: createQueue(database),
    peers: { tell: () => undefined, listen: () => undefined },
    limits: OWN_LIMITS,
    async schedule(_name, every, work) {
      const perform = () => work().catch(() => undefined);
      timers.push(setInterval(perform, INTERVALS[every]).unref());
      await perform();
    },
    async workers(): Promise<WorkerState[]> {
      const running = await allRows(database, sql<Pick<RunRow, "id">>`select id from runs where status = 'running' order by position`);
      const spokeAt = new Date(clock()).toISOString();
      return [{ id, role: "all", host: hostname(), pid: process.pid, startedAt, spokeAt, runs: running.map((run) => run.id) }];
    },
    onDead: async () => undefined,
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** The queue is the table of the runs. */
function createQueue(database: Database): RunQueue {
  /** Start these alone, one claim after the other, before all others. */
  let crashedTwice: string[] = [];
  return {
    lockThread: async () => undefined,
    enter: async () => undefined,
    async leave(tx, run) {
      await readyNext(tx, run);
    },
    claim: ({ at, limit }, start) =>
      database.write(async (tx) => {
        const left = [...crashedTwice];
        tx.onCommit(() => {
          crashedTwice = left;
        });
        while (left.length > 0) {
          const row = await firstRow(tx, takeFirst(at, left.shift()));
          if (row !== undefined) return { runs: [await start(tx, row)], isHeld: false };
        }
        const runs = [];
        while (runs.length < limit) {
          const row = await firstRow(tx, takeFirst(at));
          if (row === undefined) break;
          runs.push(await start(tx, row));
        }
        return { runs, isHeld: false };
      }),
    renew: async () => [],
    recover: () =>
      database.write(async (tx) => {
        await countCrash(tx, sql`true`);
        const latest = sql<Pick<RunRow, "id">>`select id from runs where status = 'queued' and crashes >= 2
          order by (select at from events where run_id = runs.id and origin = 'life/run-started/' || runs.attempt) desc, position desc`;
        crashedTwice = (await allRows(tx, latest)).map(({ id }) => id);
        return crashedTwice;
      }),
  };
}

/** Whether a run of the thread is in flight, seen from `runs waiting`. */
const BUSY = sql`exists (select 1 from runs busy
  where busy.thread_id = waiting.thread_id and busy.tenant = waiting.tenant and busy.status = 'running')`;

/** Takes the ready run that comes first, or `only` this one. */
function takeFirst(at: number, only?: string) {
  const which = only === undefined ? sql`` : sql`and waiting.id = ${only}`;
  return sql<RunRow>`update runs set ${begin(at, null)} where position = (select waiting.position from runs waiting
      where waiting.status = 'queued' and waiting.ready = 1 and (waiting.start_after is null or waiting.start_after <= ${at}) ${which}
      and not ${BUSY} order by waiting.priority desc, waiting.position limit 1)
    returning *`;
}
