import { createHash } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import { fromKysely, type Job, type JobAttempt, PgBoss } from "pg-boss";
import { RoleSchema, type WorkerState } from "../../domain/ports/run-service.ts";
import { allRows, change, type Database, firstRow, locked, type Transaction } from "../database.ts";
import { begin, countCrash, type Queued, type RunQueue, readyNext } from "../run-queue.ts";
import type { RunRow } from "../tables.ts";

const RUNS = "runs";
/** Runs whose process died too often, whatever the reason. */
const DEAD = "dead-runs";
/** A process that says nothing for this long has lost its runs. pg-boss takes no less. */
const LEASE_SECONDS = 10;
/** How often expired leases are looked for. */
const LOOK_SECONDS = 5;
const MAX_RESTARTS = 50;
const DAY_SECONDS = 86_400;
/** A queued run is kept for as long as it takes. */
const KEPT_SECONDS = 3_650 * DAY_SECONDS;
const HELD_SECONDS = 1;
/** The longest time that something scheduled may take. */
const TIMED_SECONDS = 3_600;
const STOP_MS = 2_000;
/** A process that has not spoken for this long is not listed. */
const QUIET_MS = 60_000;

interface Ticket {
  readonly runId: string;
}

export interface BossOptions {
  /** Names this process. */
  readonly worker: string;
  /** Whether it executes runs, looks for expired leases and performs what is scheduled. */
  readonly works: boolean;
  readonly onQueued: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The queue of several processes in pg-boss. A job is one segment of a run, and its heartbeat the lease. A job exists from when its run is
 * ready until the segment has ended; both are changed in one transaction.
 */
export async function openBossQueue(pool: pg.Pool, database: Database, options: BossOptions) {
  const { worker, works, onQueued, onError } = options;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    ...{ supervise: works, schedule: works, superviseIntervalSeconds: LOOK_SECONDS, monitorIntervalSeconds: LOOK_SECONDS },
    ...{ instanceName: worker, instanceHeartbeatSeconds: LOOK_SECONDS, openTelemetry: { enabled: false } },
  });
  boss.on("error", onError);
  await boss.start();
  const terms = { heartbeatSeconds: LEASE_SECONDS, expireInSeconds: DAY_SECONDS - 1, retentionSeconds: KEPT_SECONDS };
  await boss.createQueue(DEAD, { retryLimit: MAX_RESTARTS, retentionSeconds: KEPT_SECONDS, heartbeatSeconds: LEASE_SECONDS });
  await boss.createQueue(RUNS, { ...terms, retryLimit: MAX_RESTARTS, retryDelay: 0, deadLetter: DEAD });
  return {
    queue: new BossQueue(boss, database, worker, onQueued) satisfies RunQueue,
    /** Calls `work` for each run whose process died too often. */
    async onDead(work: (runId: string) => Promise<unknown>): Promise<void> {
      if (!works) return;
      await boss.work<Ticket>(DEAD, { pollingIntervalSeconds: LOOK_SECONDS }, async (jobs) => {
        for (const { data } of jobs) await work(data.runId);
      });
    },
    async schedule(name: string, every: "minute" | "hour", work: () => Promise<unknown>): Promise<void> {
      if (!works) return;
      const terms = { retryLimit: 0, expireInSeconds: TIMED_SECONDS, heartbeatSeconds: LEASE_SECONDS };
      await boss.createQueue(name, { policy: "singleton", ...terms });
      await boss.schedule(name, every === "minute" ? "* * * * *" : "0 * * * *");
      await boss.work(name, { pollingIntervalSeconds: LOOK_SECONDS }, async () => void (await work()));
    },
    /** The processes that have spoken lately. */
    async workers(): Promise<WorkerState[]> {
      const now = Date.now();
      const instances = (await boss.getInstances()).filter(
        ({ stoppedOn, heartbeatOn }) => stoppedOn === null && now - heartbeatOn.getTime() < QUIET_MS,
      );
      const runs = await allRows(
        database,
        sql<Pick<RunRow, "id" | "worker">>`select id, worker from runs where status = 'running' order by position`,
      );
      return instances.map(({ name, host, pid, startedOn, heartbeatOn }) => ({
        ...{ id: name ?? "", host, pid, role: RoleSchema.parse(name?.split("-")[0]) },
        ...{ startedAt: startedOn.toISOString(), spokeAt: heartbeatOn.toISOString() },
        runs: runs.filter((run) => run.worker === name).map(({ id }) => id),
      }));
    },
    close: () => boss.stop({ graceful: true, timeout: STOP_MS, close: false }),
  };
}

/** pg-boss wants UUIDs. A run has one job at most, and this is its id. */
function jobOf(runId: string): string {
  const hex = createHash("md5").update(runId).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

class BossQueue implements RunQueue {
  readonly lockThread = lockThread;
  readonly #boss: PgBoss;
  readonly #database: Database;
  readonly #worker: string;
  readonly #onQueued: () => void;
  /** The jobs whose leases this process has, by run. */
  readonly #leases = new Map<string, JobAttempt>();

  constructor(boss: PgBoss, database: Database, worker: string, onQueued: () => void) {
    this.#boss = boss;
    this.#database = database;
    this.#worker = worker;
    this.#onQueued = onQueued;
  }

  async enter(tx: Transaction, run: Queued, isNew = false): Promise<void> {
    if (!isNew) {
      await lockThread(tx, run);
      await this.#drop(tx, run.id);
    }
    await this.#send(tx, run);
  }

  async leave(tx: Transaction, run: Pick<Queued, "id" | "tenant" | "thread_id">): Promise<void> {
    await lockThread(tx, run);
    await this.#drop(tx, run.id);
    for (const next of await readyNext(tx, run)) await this.#send(tx, next);
  }

  readonly claim: RunQueue["claim"] = async (request, start) => {
    const jobs = await this.#boss.fetch<Ticket>(RUNS, { batchSize: request.limit });
    const isAlone = request.isIdle && jobs.length === 1;
    const claims = await Promise.allSettled(jobs.map((job) => this.#claimOne(job, request.at, isAlone, start)));
    const done = claims.flatMap((claim) => (claim.status === "fulfilled" ? [claim.value] : []));
    // Not before the caller learns of them: `renew` drops the leases of runs that it does not name.
    for (const [nth, claim] of claims.entries()) {
      const job = jobs[nth];
      if (job !== undefined && claim.status === "fulfilled" && claim.value.runs.length > 0) this.#keep(job);
    }
    const [failed] = claims.filter((claim) => claim.status === "rejected");
    // Those that were claimed are to be executed. The others come again when their leases have expired.
    if (failed !== undefined && done.length === 0) throw failed.reason;
    return { runs: done.flatMap(({ runs }) => runs), isHeld: done.some(({ isHeld }) => isHeld) };
  };

  async #claimOne<T>(job: Job<Ticket>, at: number, isAlone: boolean, start: (tx: Transaction, row: RunRow) => Promise<T>) {
    if (this.#leases.has(job.data.runId)) {
      this.#keep(job);
      return { runs: [], isHeld: false };
    }
    return this.#database.write(async (tx) => {
      const row = await this.#take(tx, job, at, isAlone);
      if (row === null || row === "held") return { runs: [], isHeld: row === "held" };
      return { runs: [await start(tx, row)], isHeld: false };
    });
  }

  async renew(runIds: readonly string[]): Promise<string[]> {
    const known = new Set(runIds);
    for (const runId of [...this.#leases.keys()].filter((id) => !known.has(id))) this.#leases.delete(runId);
    if (this.#leases.size === 0) return [];
    await this.#boss.touch(RUNS, [...this.#leases.values()]);
    const ids = sql.join([...this.#leases.keys()]);
    const others = sql<
      Pick<RunRow, "id">
    >`select id from runs where id in (${ids}) and not (status = 'running' and worker = ${this.#worker})`;
    return (await allRows(this.#database, others)).map(({ id }) => id);
  }

  /** Gives jobs to ready runs that have none, such as runs that were imported. What is in flight elsewhere is left alone. */
  async recover(): Promise<string[]> {
    await this.#database.write(async (tx) => {
      const jobless = await allRows(
        tx,
        sql<Queued>`select id, tenant, thread_id, priority, start_after from runs where status in ('queued', 'running') and ready = 1
          and not exists (select 1 from pgboss.job where name = ${RUNS} and job.id = md5(runs.id)::uuid)`,
      );
      await change(tx, sql`update runs set status = 'queued' where status = 'running' and id in (${idsOf(jobless)})`);
      for (const run of jobless) await this.#send(tx, run);
    });
    return [];
  }

  #keep(job: Job<Ticket>): void {
    this.#leases.set(job.data.runId, { id: job.id, retryCount: job.retryCount });
  }

  async #send(tx: Transaction, { id: runId, priority, start_after }: Queued): Promise<void> {
    const startAfter = start_after === null ? {} : { startAfter: new Date(start_after) };
    await this.#boss.send(RUNS, { runId } satisfies Ticket, { id: jobOf(runId), priority, ...startAfter, db: dbOf(tx) });
    tx.onCommit(this.#onQueued);
  }

  async #drop(tx: Transaction, runId: string): Promise<void> {
    await this.#boss.deleteJob(RUNS, jobOf(runId), { db: dbOf(tx) });
    tx.onCommit(() => void this.#leases.delete(runId));
  }

  /** Returns null if the run is not to be started now, and drops its job then. */
  async #take(
    tx: Transaction,
    { data: { runId }, retryCount }: Job<Ticket>,
    at: number,
    isAlone: boolean,
  ): Promise<RunRow | "held" | null> {
    const found = sql<RunRow>`select * from runs where id = ${runId}`;
    // A job that comes again had a lease.
    const before = retryCount === 0 ? undefined : await firstRow(tx, found);
    // It has expired, so its process is dead, with all that it executed. This process is not: it only never learned of its claim.
    if (before?.status === "running") {
      await lock(tx, before.worker ?? "");
      await countCrash(tx, before.worker === this.#worker ? sql`id = ${runId}` : sql`worker = ${before.worker}`);
    }
    const row = await firstRow(tx, sql<RunRow>`${found} ${locked(this.#database)}`);
    if (row === undefined) return this.#refuse(tx, runId);
    // The first run of a thread, at its first attempt, comes before all others of it.
    const isFirst = row.thread_id === row.id && row.attempt === 0;
    if (!isFirst) await lockThread(tx, row);
    if (row.status === "running") return null;
    if (row.status !== "queued") return this.#refuse(tx, runId);
    if (!isFirst && (await isBusy(tx, row))) {
      await change(tx, sql`update runs set ready = 0 where id = ${runId}`);
      return this.#refuse(tx, runId);
    }
    if (row.crashes >= 2 && !isAlone) {
      await this.#drop(tx, runId);
      await this.#send(tx, { ...row, start_after: Date.now() + HELD_SECONDS * 1_000 });
      return "held";
    }
    return (await firstRow(tx, sql<RunRow>`update runs set ${begin(at, this.#worker)} where id = ${runId} returning *`)) ?? null;
  }

  async #refuse(tx: Transaction, runId: string): Promise<null> {
    await this.#drop(tx, runId);
    return null;
  }
}

function dbOf({ db }: Transaction) {
  return fromKysely(db as unknown as Parameters<typeof fromKysely>[0]);
}

/** An expression for a list that may be empty. */
function idsOf(runs: readonly Pick<RunRow, "id">[]) {
  return runs.length === 0 ? sql`null` : sql.join(runs.map(({ id }) => id));
}

/** Holds a lock with this name until the end of the transaction. Take it after the rows of runs, so that no two wait for each other. */
async function lock(tx: Transaction, name: string): Promise<void> {
  await allRows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

async function lockThread(tx: Transaction, { tenant, thread_id }: Pick<Queued, "tenant" | "thread_id">): Promise<void> {
  await lock(tx, `${tenant} ${thread_id}`);
}

async function isBusy(tx: Transaction, { id, tenant, thread_id }: RunRow): Promise<boolean> {
  const busy = sql`select 1 from runs where tenant = ${tenant} and thread_id = ${thread_id} and status = 'running' and id <> ${id}`;
  return (await firstRow(tx, busy)) !== undefined;
}
