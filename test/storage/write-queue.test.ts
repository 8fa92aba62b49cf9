import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Kysely, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { change, type Transaction } from "../../src/storage/database.ts";
import { sqliteDialect } from "../../src/storage/sqlite/dialect.ts";
import { WriteQueue } from "../../src/storage/sqlite/write-queue.ts";
import { stopClock } from "../helpers/stopped-clock.ts";

type Options = Omit<ConstructorParameters<typeof WriteQueue>[1], "inTransaction">;

function open(file = ":memory:", options: Options = {}) {
  const raw = new Database(file, { timeout: 1 });
  raw.exec("create table lines (text text unique)");
  const queue = new WriteQueue(new Kysely({ dialect: sqliteDialect(raw) }), { ...options, inTransaction: () => raw.inTransaction });
  const rows = (): string[] => raw.prepare("select text from lines order by rowid").pluck().all() as string[];
  const line = (tx: Transaction, text: string): Promise<number> => change(tx, sql`insert into lines values (${text})`);
  return { raw, queue, line, insert: (text: string) => queue.run((tx) => line(tx, text)), rows };
}

it("writes in the order in which it was asked, and resolves after the commit", async () => {
  const { raw, insert, rows } = open();
  const writes = ["a", "b", "词"].map((text) => insert(text).then(() => raw.inTransaction));
  expect(rows()).toEqual([]);
  expect(await Promise.all(writes)).toEqual([false, false, false]);
  expect(rows()).toEqual(["a", "b", "词"]);
});

it("rolls back a unit that throws, and only that unit", async () => {
  const { queue, insert, rows } = open();
  const half = queue.run(async () => {
    void insert("later");
    throw new Error("no");
  });
  const [first, second, third] = await Promise.allSettled([insert("a"), half, insert("b")]);
  expect([first?.status, second?.status, third?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  await insert("last");
  expect(rows()).toEqual(["a", "b", "later", "last"]);
});

it("lets a unit take back what it did outside of the database when it alone or its whole group is rolled back", async () => {
  stopClock();
  const { raw, queue, line, insert, rows } = open();
  const kept = new Set<string>();
  const write = (text: string): Promise<void> =>
    queue.run(
      async (tx) => {
        kept.add(text);
        await line(tx, text);
      },
      { onRollback: () => void kept.delete(text) },
    );
  await Promise.allSettled([insert("a"), write("a"), write("b")]);
  expect([...kept]).toEqual(["b"]);
  raw.exec("create trigger full before insert on lines when new.text = 'd' begin select raise(rollback, 'disk full'); end");
  await Promise.allSettled([write("c"), insert("d")]);
  expect([[...kept], rows()]).toEqual([["b"], ["a", "b"]]);
});

it("leaves slow writes for the next turn of the event loop, in their order", async () => {
  const clock = stopClock();
  const { queue, insert, rows } = open();
  const slow = (text: string): Promise<void> =>
    queue.run(async () => {
      clock.pass(5);
      void insert(`after ${text}`);
    });
  const seen: string[][] = [];
  const turns = (async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = rows();
      if (now.length !== seen.at(-1)?.length) seen.push(now);
    }
  })();
  await Promise.all([insert("a"), slow("a"), insert("b"), slow("b"), insert("c"), turns]);
  expect(seen.slice(0, 3)).toEqual([[], ["a"], ["a", "b"]]);
  await insert("last");
  expect(rows()).toEqual(["a", "b", "c", "after a", "after b", "last"]);
});

it("gathers the writes of several turns while the event loop is busy, and waits for none while it is idle", async () => {
  const clock = stopClock();
  let commits = 0;
  const { queue } = open(":memory:", { onCommit: () => commits++ });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const writes: Promise<unknown>[] = [];
  for (let turn = 0; turn < 4; turn++) {
    writes.push(queue.run(async () => turn));
    clock.pass(1.5);
    await nextTurn();
  }
  expect(await Promise.all(writes)).toEqual([0, 1, 2, 3]);
  expect(commits).toBe(1);
  const before = commits;
  const idle = queue.run(async () => "单独");
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const after = commits;
  expect([await idle, after]).toEqual(["单独", before + 1]);
});

it("rejects every unit of a group that cannot be committed", async () => {
  const { raw, insert } = open();
  const writes = [insert("a"), insert("b")];
  raw.close();
  expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

it("writes nothing of a group whose transaction the database rolls back, and nothing after it", async () => {
  stopClock();
  const { raw, insert, rows } = open();
  raw.exec("create trigger full before insert on lines when new.text = 'b' begin select raise(rollback, 'disk full'); end");
  const settled = await Promise.allSettled([insert("a"), insert("b"), insert("c")]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(rows()).toEqual([]);
  await insert("d");
  expect(rows()).toEqual(["d"]);
});

/** A database file whose write lock another connection of this process holds, so that waiting for it without end would never end. */
async function openLocked(options: Options = {}) {
  const dir = await mkdtemp(join(tmpdir(), "dossier-queue-"));
  const file = join(dir, "lines.sqlite");
  const opened = open(file, options);
  opened.raw.pragma("journal_mode = WAL");
  const other = new Database(file);
  onTestFinished(async () => {
    other.close();
    opened.raw.close();
    await rm(dir, { recursive: true, force: true });
  });
  other.exec("begin immediate");
  return { ...opened, other };
}

it("waits for another program's write lock without blocking, and then writes in order", async () => {
  let tries = 0;
  const { insert, rows, other } = await openLocked({ verify: () => tries++ });
  const writes = [insert("a"), insert("b")];
  await expect.poll(() => tries).toBeGreaterThan(2);
  writes.push(insert("c"));
  expect(rows()).toEqual([]);
  other.exec("commit");
  await Promise.all(writes);
  expect(rows()).toEqual(["a", "b", "c"]);
});

it("refuses an impatient write without performing it, while the others go on waiting", async () => {
  const clock = stopClock();
  const { queue, insert, rows, other } = await openLocked();
  const patient = insert("a");
  const impatient = queue.run(async () => expect.unreachable(), { maxBusyMs: 0 });
  await expect(impatient).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  clock.pass(40);
  expect(queue.lockedMs).toBe(40);
  other.exec("commit");
  await patient;
  expect([rows(), queue.lockedMs]).toEqual([["a"], 0]);
});

it("gives up after its time, and tries again for the next write", async () => {
  const { insert, rows, other } = await openLocked({ maxBusyMs: 0 });
  await expect(insert("a")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  other.exec("commit");
  await insert("b");
  expect(rows()).toEqual(["b"]);
});

it("calls back after the commit, and not for what was rolled back", async () => {
  const { raw, queue, line } = open();
  const told: [string, boolean][] = [];
  const write = (text: string): Promise<void> =>
    queue.run(async (tx) => {
      tx.onCommit(() => told.push([text, raw.inTransaction]));
      await line(tx, text);
    });
  await Promise.allSettled([write("a"), write("a"), write("词")]);
  expect(told).toEqual([
    ["a", false],
    ["词", false],
  ]);
});

it("lets nobody else use the connection within a transaction", async () => {
  const raw = new Database(":memory:");
  const db = new Kysely<unknown>({ dialect: sqliteDialect(raw) });
  const seen: boolean[] = [];
  const transaction = db.transaction().execute(async (tx) => {
    for (let turn = 0; turn < 3; turn += 1) await sql`select 1`.execute(tx);
  });
  const read = sql`select 1`.execute(db).then(() => seen.push(raw.inTransaction));
  await Promise.all([transaction, read]);
  expect(seen).toEqual([false]);
});
