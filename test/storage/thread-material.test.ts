import { setImmediate as nextTurn } from "node:timers/promises";
import type Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { Retention } from "../../src/runs/retention.ts";
import { DATABASES, newRun, openStore, openStoreIn } from "./open-store.ts";

const DAY_MS = 86_400_000;
const documentOf = (text: string): ExtractedDocument => {
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  return { text, title: "标题", url: `upload:${text}`, language: "zh", publishedAt: null, author: null, blocks };
};
const given = (text: string, bytes = Buffer.from(text)) => ({
  name: `${text}.txt`,
  bytes: bytes.byteLength,
  document: documentOf(text),
  original: { bytes, mediaType: "text/plain", sha256: "" },
});

describe.each(DATABASES)("what users give to threads, in %s", (database) => {
  it("keeps equal documents of a thread once, and those of tenants and threads apart", async () => {
    const { threads } = await openStoreIn(database);
    const place = { tenant: "t", threadId: "A" };
    const hash = await threads.addDocument(place, given("灯塔"), 1);
    expect(await threads.addDocument(place, { ...given("灯塔"), name: "other.txt" }, 2)).toBeNull();
    await threads.addUrls(place, ["https://example.org/", "https://example.org/"], 3);
    expect(await threads.list(place)).toMatchObject({
      documents: [{ contentHash: hash, name: "灯塔.txt", characters: 2 }],
      urls: [{ url: "https://example.org/" }],
    });
    for (const other of [
      { tenant: "u", threadId: "A" },
      { tenant: "t", threadId: "B" },
    ]) {
      expect(await threads.list(other)).toEqual({ documents: [], urls: [] });
      expect(await threads.document(other, hash ?? "")).toBeNull();
      expect(await threads.deleteDocument(other, hash ?? "")).toBe(false);
    }
    expect((await threads.document(place, hash ?? ""))?.text).toBe("灯塔");
  });

  it("a deleted document stays readable for the run that read it, and goes with that run", async () => {
    const { threads, documents, runs } = await openStoreIn(database);
    await runs.create(newRun("r", "A"));
    const place = await threads.placeOf("r");
    expect(place).toEqual({ tenant: "t", threadId: "A" });
    const hash = (await threads.addDocument({ tenant: "t", threadId: "A" }, given("灯塔"), 1)) ?? "";
    await documents.put("r", documentOf("灯塔"));
    await threads.deleteDocument({ tenant: "t", threadId: "A" }, hash);
    expect((await documents.get("r", hash)).text).toBe("灯塔");
    await runs.requestCancel("t", "r", 2);
    await runs.delete("t", "r");
    await expect(documents.get("r", hash)).rejects.toMatchObject({ code: "not_found" });
  });

  it("frees the text of a deleted document that nobody uses, and of a thread with its last run", async () => {
    const { threads, runs } = await openStoreIn(database);
    const [a, b] = [
      { tenant: "t", threadId: "A" },
      { tenant: "t", threadId: "B" },
    ];
    const hash = (await threads.addDocument(a, given("灯塔"), 1)) ?? "";
    await threads.addDocument(b, given("灯塔"), 1);
    await threads.deleteDocument(a, hash);
    expect((await threads.document(b, hash))?.text).toBe("灯塔");
    for (const id of ["r1", "r2"]) await runs.create(newRun(id, "B"));
    for (const id of ["r1", "r2"]) await runs.requestCancel("t", id, 2);
    await runs.delete("t", "r1");
    expect((await threads.list(b)).documents).toHaveLength(1);
    await runs.delete("t", "r2");
    expect(await threads.list(b)).toEqual({ documents: [], urls: [] });
  });

  it("retention deletes what was given to threads without runs when it is old enough", async () => {
    const { threads, runs } = await openStoreIn(database);
    const now = 10 * DAY_MS;
    await threads.addDocument({ tenant: "t", threadId: "old" }, given("旧"), 1 * DAY_MS);
    await threads.addUrls({ tenant: "t", threadId: "old" }, ["https://example.org/"], 1 * DAY_MS);
    await threads.addDocument({ tenant: "u", threadId: "old" }, given("旧"), 1 * DAY_MS);
    await threads.addDocument({ tenant: "t", threadId: "new" }, given("新"), 9 * DAY_MS);
    await threads.addDocument({ tenant: "t", threadId: "asked" }, given("问"), 1 * DAY_MS);
    await runs.create(newRun("r", "asked"));
    const silent = { onDeleted: () => undefined, onTooLarge: () => undefined };
    const retention = new Retention({ store: runs, threads, days: 5, daysOf: { u: 20 }, maxBytes: null, clock: () => now, ...silent });
    await retention.clean();
    retention.close();
    const left = await Promise.all(["old", "new", "asked"].map((threadId) => threads.list({ tenant: "t", threadId })));
    expect((await threads.list({ tenant: "u", threadId: "old" })).documents).toHaveLength(1);
    expect(left.map(({ documents, urls }) => [documents.length, urls.length])).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
    ]);
  });

  it("keeps the file of a document as it came, also a large one, as long as the document is in the thread", async () => {
    const { threads } = await openStoreIn(database);
    const place = { tenant: "t", threadId: "A" };
    const bytes = Buffer.alloc(2_500_000, "灯塔 \u0000");
    const hash = (await threads.addDocument(place, given("灯塔", bytes), 1)) ?? "";
    const file = await threads.original(place, hash);
    expect([file?.name, file?.mediaType, file && bytes.equals(file.bytes)]).toEqual(["灯塔.txt", "text/plain", true]);
    expect(await threads.original({ tenant: "u", threadId: "A" }, hash)).toBeNull();
    await threads.deleteDocument(place, hash);
    expect(await threads.original(place, hash)).toBeNull();
  });
});

const PLACE = { tenant: "t", threadId: "A" };
const refuseParts = (db: Database.Database): void => {
  db.exec("create trigger refused before insert on thread_originals when new.part = 1 begin select raise(abort, 'full'); end");
};

it("keeps no document whose file could not be kept, so that the file can be sent again", async () => {
  const { threads, raw } = await openStore();
  const file = given("灯塔", Buffer.alloc(2_500_000, "灯塔"));
  refuseParts(raw);
  await expect(threads.addDocument(PLACE, file, 1)).rejects.toMatchObject({ code: "storage_unavailable" });
  expect((await threads.list(PLACE)).documents).toEqual([]);
  raw.exec("drop trigger refused");
  const hash = (await threads.addDocument(PLACE, file, 2)) ?? "";
  expect((await threads.original(PLACE, hash))?.bytes.byteLength).toBe(2_500_000);
});

it("completes the file of a document that could neither be kept nor be deleted, when the file is sent again", async () => {
  const { threads, raw } = await openStore();
  const bytes = Buffer.alloc(2_500_000, "灯塔");
  refuseParts(raw);
  raw.exec("create trigger stays before delete on thread_documents begin select raise(abort, 'full'); end");
  await expect(threads.addDocument(PLACE, given("灯塔", bytes), 1)).rejects.toMatchObject({ code: "storage_unavailable" });
  const [{ contentHash = "" } = {}] = (await threads.list(PLACE)).documents;
  expect(await threads.original(PLACE, contentHash)).toBeNull();
  raw.exec("drop trigger refused");
  expect(await threads.addDocument(PLACE, given("灯塔", bytes), 2)).toBeNull();
  expect((await threads.original(PLACE, contentHash))?.bytes).toEqual(bytes);
});

it("frees the files of deleted documents a few parts at a time, and never those of others", async () => {
  const { threads, raw } = await openStore();
  const count = () => raw.prepare("select count(*) from thread_originals").pluck().get() as number;
  const bytes = Buffer.alloc(9_500_000, "租");
  for (const text of ["删", "留"]) await threads.addDocument(PLACE, given(text, bytes), 1);
  const [deleted, kept] = (await threads.list(PLACE)).documents.map(({ contentHash }) => contentHash);
  await threads.deleteDocument(PLACE, deleted ?? "");
  expect(count()).toBe(20);
  const freeing = threads.freeOriginals(new AbortController().signal);
  for (let turn = 0; turn < 2; turn += 1) await nextTurn();
  expect(count()).toBeGreaterThan(14);
  await freeing;
  expect(count()).toBe(10);
  expect((await threads.original(PLACE, kept ?? ""))?.bytes.byteLength).toBe(bytes.byteLength);
});
