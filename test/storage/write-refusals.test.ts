import { renameSync } from "node:fs";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import type { JournalRecord } from "../../src/domain/recording.ts";
import type { DossierError } from "../../src/errors.ts";
import { allRows } from "../../src/storage/database.ts";
import { refusalOf } from "../../src/storage/sqlite/sqlite-errors.ts";
import { WriteRefusals } from "../../src/storage/write-refusals.ts";
import { claim, newRun, openStore } from "./open-store.ts";

const UNAVAILABLE = { code: "storage_unavailable", status: 503 };

/** A store whose disk can be filled: a small maximum file size makes SQLite fail as on a full disk. */
async function openFullable() {
  const told: (string | null)[] = [];
  const storage = await openStore((refusal) => told.push(refusal?.code ?? null));
  const limit = (pages: number) => allRows(storage.database, sql.raw(`pragma max_page_count = ${pages}`));
  const fill = () => limit(Number(storage.raw.pragma("page_count", { simple: true })));
  const free = () => limit(1_000_000);
  const write = (id: string): Promise<unknown> => storage.runs.create(newRun(id, id, "长".repeat(200_000)));
  return { storage, told, fill, free, write };
}

it("is not ready while the disk is full, and ready as soon as there is room", async () => {
  const { storage, told, fill, free, write } = await openFullable();
  await write("a");
  await storage.check();
  await fill();
  await expect(write("b")).rejects.toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining("full") });
  await expect(storage.check()).rejects.toMatchObject(UNAVAILABLE);
  expect(await storage.runs.get("t", "a")).toMatchObject({ status: "queued" });
  await free();
  await storage.check();
  await write("b");
  expect(told).toEqual(["storage_unavailable", null]);
  expect((await storage.runs.list("t", { limit: 10 })).runs.map(({ id }) => id)).toEqual(["b", "a"]);
});

it("notices by itself that there is space again, and logs it", async () => {
  const { told, fill, free, write } = await openFullable();
  await fill();
  await expect(write("a")).rejects.toMatchObject(UNAVAILABLE);
  await free();
  await expect.poll(() => told).toEqual(["storage_unavailable", null]);
});

it("logs a refusal that lasts, or returns, at most once a minute", async () => {
  const told: (string | null)[] = [];
  let now = 0;
  const report = (refusal: DossierError | null): void => void told.push(refusal?.code ?? null);
  const refusals = new WriteRefusals({ refusalOf, probe: async () => undefined, report }, () => now);
  onTestFinished(() => refusals.close());
  const refuse = (): unknown => refusals.note(new Database.SqliteError("database or disk is full", "SQLITE_FULL"));
  for (; now < 150_000; now += 1_000) refuse();
  expect(told).toEqual(["storage_unavailable", "storage_unavailable", "storage_unavailable"]);
  await refusals.check();
  expect(told.at(-1)).toBe(null);
  for (; now < 179_000; now += 1_000) {
    refuse();
    await refusals.check();
  }
  expect(told).toHaveLength(4);
  now = 180_000;
  refuse();
  await refusals.check();
  expect(told.slice(4)).toEqual(["storage_unavailable", null]);
});

it("does not count a write that is wrong in itself as a refusal", async () => {
  const { storage, told, write } = await openFullable();
  await write("a");
  await expect(write("a")).rejects.toThrow(/UNIQUE/);
  await storage.check();
  expect(told).toEqual([]);
});

it("counts against a run what kills the process or fails, not what the database refuses", async () => {
  const { storage, write } = await openFullable();
  await write("a");
  const crashes = async (): Promise<number | undefined> => (await claim(storage))[0]?.crashesAlone;
  expect(await crashes()).toBe(0);
  for (let attempt = 1; attempt <= 30; attempt += 1) {
    await storage.runs.release({ runId: "a", attempt }, { crashed: false });
    expect(await crashes()).toBe(0);
  }
  await storage.runs.recover();
  expect(await crashes()).toBe(1);
  await storage.runs.release({ runId: "a", attempt: 32 }, { crashed: true });
  expect(await crashes()).toBe(2);
});

it("forgets the crashes of a run as soon as it has recorded the result of an effect", async () => {
  const { storage, write } = await openFullable();
  await write("a");
  const crash = async (): Promise<number | undefined> => {
    await storage.runs.recover();
    return (await claim(storage))[0]?.crashesAlone;
  };
  const append = (attempt: number, record: Partial<JournalRecord>): Promise<void> => {
    const records = [
      { ord: attempt, after: 0, key: `k${attempt}`, kind: "search", request: null, ok: true, result: null, at: 1, ...record },
    ];
    return storage.runs.append({ runId: "a", attempt }, { take: () => ({ records, events: [] }), putBack: () => undefined });
  };
  await claim(storage);
  expect([await crash(), await crash()]).toEqual([1, 2]);
  await append(3, { kind: "control" });
  await append(3, { ord: 4, kind: "piece" });
  await append(3, { ord: 5, kind: "model", ok: false, result: { code: "interrupted", message: "The process ended during this call." } });
  expect(await crash()).toBe(3);
  await append(4, { ord: 6 });
  expect(await crash()).toBe(1);
});

it("counts a crash against a run only if it was alone in flight, and starts first what was started last", async () => {
  const { storage, write } = await openFullable();
  for (const id of ["a", "b", "c"]) await write(id);
  const { runs } = storage;
  const start = async (at: number) => (await claim(storage, { at, limit: 2 })).map(({ runId, crashesAlone }) => [runId, crashesAlone]);
  expect(await start(1)).toHaveLength(2);
  expect(await runs.recover()).toEqual([]);
  expect(await start(2)).toHaveLength(2);
  expect(await runs.recover()).toEqual(["b", "a"]);
  expect([await start(3), await start(4)]).toEqual([[["b", 0]], [["a", 0]]]);
  expect(await runs.recover()).toEqual(["a", "b"]);
  expect(await start(5)).toEqual([["a", 0]]);
  expect(await runs.recover()).toEqual(["a", "b"]);
  expect(await start(6)).toEqual([["a", 1]]);
  const record = { ord: 1, after: 0, key: "k", kind: "search", request: null, ok: true, result: null, at: 1 } as const;
  await runs.append({ runId: "a", attempt: 5 }, { take: () => ({ records: [record], events: [] }), putBack: () => undefined });
  expect(await runs.recover()).toEqual(["b"]);
  expect([await start(7), await start(8)]).toEqual([
    [["b", 0]],
    [
      ["a", 1],
      ["c", 0],
    ],
  ]);
});

it("refuses writes while the file of the database is not at its place, and loses nothing when it is brought back", async () => {
  const { storage, told, write } = await openFullable();
  const file = storage.file;
  await write("a");
  renameSync(file, `${file}-moved`);
  await expect(storage.check()).rejects.toMatchObject(UNAVAILABLE);
  await expect(write("b")).rejects.toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining("was moved") });
  expect(await storage.runs.get("t", "a")).toMatchObject({ status: "queued" });
  renameSync(`${file}-moved`, file);
  await expect.poll(() => told).toEqual(["storage_unavailable", null]);
  await storage.check();
  await write("c");
  expect((await storage.runs.list("t", { limit: 10 })).runs.map(({ id }) => id)).toEqual(["c", "a"]);
});
