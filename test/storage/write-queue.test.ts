import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { WriteQueue } from "../../src/storage/write-queue.ts";
import { stopClock } from "../helpers/stopped-clock.ts";

type Options = ConstructorParameters<typeof WriteQueue>[1];

function open(
  file = ":memory:",
  options: Options = {},
): { database: Database.Database; queue: WriteQueue; insert: (text: string) => Promise<unknown>; rows: () => string[] } {
  const database = new Database(file, { timeout: 1 });
  database.exec("create table lines (text text unique)");
  const queue = new WriteQueue(database, options);
  const statement = database.prepare("insert into lines values (?)");
  const rows = (): string[] => database.prepare("select text from lines order by rowid").pluck().all() as string[];
  return { database, queue, insert: (text) => queue.run(() => statement.run(text)), rows };
}

it("writes in the order in which it was asked, and resolves after the commit", async () => {
  const { database, insert, rows } = open();
  const writes = ["a", "b", "词"].map((text) => insert(text).then(() => database.inTransaction));
  expect(rows()).toEqual([]);
  expect(await Promise.all(writes)).toEqual([false, false, false]);
  expect(rows()).toEqual(["a", "b", "词"]);
});

it("rolls back a unit that throws, and only that unit", async () => {
  const { queue, insert, rows } = open();
  const half = queue.run(() => {
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
  const { database, queue, insert, rows } = open();
  const kept = new Set<string>();
  const write = (text: string): Promise<void> =>
    queue.run(
      () => {
        kept.add(text);
        database.prepare("insert into lines values (?)").run(text);
      },
      { onRollback: () => void kept.delete(text) },
    );
  await Promise.allSettled([insert("a"), write("a"), write("b")]);
  expect([...kept]).toEqual(["b"]);
  database.exec("create trigger full before insert on lines when new.text = 'd' begin select raise(rollback, 'disk full'); end");
  await Promise.allSettled([write("c"), insert("d")]);
  expect([[...kept], rows()]).toEqual([["b"], ["a", "b"]]);
});

it("leaves slow writes for the next turn of the event loop, in their order", async () => {
  const clock = stopClock();
  const { queue, insert, rows } = open();
  const slow = (text: string): Promise<void> =>
    queue.run(() => {
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
  const database = new Database(":memory:");
  let commits = 0;
  const queue = new WriteQueue(database, { onCommit: () => commits++ });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const writes: Promise<unknown>[] = [];
  for (let turn = 0; turn < 4; turn++) {
    writes.push(queue.run(() => turn));
    clock.pass(1.5);
    await nextTurn();
  }
  expect(await Promise.all(writes)).toEqual([0, 1, 2, 3]);
  expect(commits).toBe(1);
  const before = commits;
  const idle = queue.run(() => "单独");
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const after = commits;
  expect([await idle, after]).toEqual(["单独", before + 1]);
});

it("rejects every unit of a group that cannot be committed", async () => {
  const { database, insert } = open();
  const writes = [insert("a"), insert("b")];
  database.close();
  expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

it("writes nothing of a group whose transaction the database rolls back, and nothing after it", async () => {
  const { database, insert, rows } = open();
  database.exec("create trigger full before insert on lines when new.text = 'b' begin select raise(rollback, 'disk full'); end");
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
  opened.database.pragma("journal_mode = WAL");
  const other = new Database(file);
  onTestFinished(async () => {
    other.close();
    opened.database.close();
    await rm(dir, { recursive: true, force: true });
  });
  other.exec("begin immediate");
  return { ...opened, other };
}

it("waits for another program's write lock without blocking, and then writes in order", async () => {
  const refused = vi.fn();
  const { insert, rows, other } = await openLocked({ onRollback: refused });
  const writes = [insert("a"), insert("b")];
  await expect.poll(() => refused.mock.calls.length).toBeGreaterThan(1);
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
  const impatient = queue.run(() => expect.unreachable(), { maxBusyMs: 0 });
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
