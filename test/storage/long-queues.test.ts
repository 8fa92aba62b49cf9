import { describe, expect, it } from "vitest";
import { onStatement } from "../chaos/count-statements.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { ask } from "../helpers/postgres-server.ts";
import { claim, DATABASES, newRun, openProcess, openStore } from "./open-store.ts";

const QUEUED = 10_000;

/** Columns of a run that a copy has too. */
const SAME = "graph, question, request, limits, status, head, request_hash, created_at";

/** Returns the statement that queues copies of the run `second`; `thread` is the thread of each, and `ready` whether it may start. */
const copies = (thread: string, ready: 0 | 1): string =>
  `insert into runs (id, tenant, thread_id, ready, priority, ${SAME})
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${QUEUED})
    select 'copy ' || n, tenant, ${thread}, ${ready}, 0, ${SAME} from runs, numbers where id = 'second'`;

/** Each copy that is ready has a job. */
const JOBS = `insert into pgboss.job (id, name, data, priority, retry_limit, expire_seconds, heartbeat_seconds)
  select md5(runs.id)::uuid, name, jsonb_build_object('runId', runs.id), runs.priority, retry_limit, expire_seconds, heartbeat_seconds
  from runs, pgboss.job where runs.id like 'copy %' and ready = 1 and job.id = md5('second')::uuid`;

async function openWith(name: (typeof DATABASES)[number]) {
  if (name === "SQLite") {
    const storage = await openStore();
    return { storage, perform: async (statement: string) => void storage.raw.exec(statement), addJobs: async () => undefined };
  }
  const url = await createDatabase();
  const storage = await openProcess(url);
  return { storage, perform: (statement: string) => ask(url, statement), addJobs: () => ask(url, JOBS) };
}

/** Statements on our tables: pg-boss looks after its own ones from time to time, and a notification tells of several changes at once. */
let statements = 0;
onStatement((sql) => {
  if (!/pgboss|pg_notify/.test(sql)) statements += 1;
});

async function counted<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const before = statements;
  const result = await work();
  return { result, statements: statements - before };
}

describe.each(DATABASES)(`${QUEUED} queued runs in %s`, (name) => {
  it("of one thread do not hold up the first run of another one", async () => {
    const { storage, perform } = await openWith(name);
    for (const id of ["first", "second"]) await storage.runs.create(newRun(id, "long"));
    await perform(copies("thread_id", 0));
    await storage.runs.create(newRun("other"));
    const claimed = await claim(storage, { limit: 9 });
    expect(claimed.map(({ runId }) => runId).toSorted()).toEqual(["first", "other"]);
  });

  it("of one tenant, in threads of their own, do not hold up the first run of another tenant, nor make claims longer", async () => {
    const { storage, perform, addJobs } = await openWith(name);
    for (const id of ["first", "second"]) await storage.runs.create(newRun(id));
    const short = await counted(() => claim(storage));
    await perform(copies("'copy ' || n", 1));
    await addJobs();
    await storage.runs.create({ ...newRun("other"), tenant: "u" });
    const long = await counted(() => claim(storage));
    expect([short, long].map(({ result }) => result.map(({ runId }) => runId))).toEqual([["first"], ["other"]]);
    expect(long.statements).toBe(short.statements);
  });

  it("that nobody watches wait for those that somebody does, at most twenty of a tenant", async () => {
    const { storage, perform, addJobs } = await openWith(name);
    for (const id of ["first", "second"]) await storage.runs.create(newRun(id));
    await claim(storage);
    await perform(copies("'copy ' || n", 0));
    await addJobs();
    const watched = Array.from({ length: 22 }, (_, n) => `问 ${n}`);
    for (const id of watched) await storage.runs.create({ ...newRun(id), isWatched: true });
    await storage.runs.create({ ...newRun("other"), tenant: "u" });
    const next = await claim(storage, { limit: 20 });
    const later = await claim(storage, { limit: 2 });
    expect(next.map(({ runId }) => runId).toSorted()).toEqual(watched.slice(0, 20).toSorted());
    expect(later.map(({ runId }) => runId).toSorted()).toEqual(["other", "second"]);
  });

  it("are counted as far as they may start, with the time of the oldest", async () => {
    const { storage } = await openWith(name);
    const create = (id: string, at: number, more = {}) => storage.runs.create({ ...newRun(id), at, ...more });
    expect(await storage.runs.queueAt(100)).toEqual({ queued: 0, oldestAt: null });
    await create("a", 10);
    await create("b", 20);
    await create("later", 5, { startAfter: 200 });
    expect(await storage.runs.queueAt(100)).toEqual({ queued: 2, oldestAt: 10 });
    expect(await storage.runs.queueAt(200)).toEqual({ queued: 3, oldestAt: 5 });
    await claim(storage);
    expect(await storage.runs.queueAt(100)).toEqual({ queued: 1, oldestAt: 20 });
  });
});
