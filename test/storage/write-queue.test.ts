import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { WriteQueue } from "../../src/storage/write-queue.ts";

function open(): { database: Database.Database; queue: WriteQueue; insert: (text: string) => Promise<unknown>; rows: () => string[] } {
  const database = new Database(":memory:");
  database.exec("create table lines (text text unique)");
  const queue = new WriteQueue(database);
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
