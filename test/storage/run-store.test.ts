import { describe, expect, it } from "vitest";
import type { Ownership } from "../../src/domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent } from "../../src/domain/recording.ts";
import type { BusyThread } from "../../src/domain/request.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { claim, DATABASES, newRun, openStoreIn } from "./open-store.ts";

const ENDED = {
  type: "ended",
  status: "succeeded",
  termination: { reason: "completed", node: null, detail: null },
  report: null,
  error: null,
} as const;

const record = (ord: number): JournalRecord => ({
  ord,
  after: 0,
  key: `k${ord}`,
  kind: "random",
  request: null,
  ok: true,
  result: ord,
  at: 1,
});
const event = (origin: string): LoggedEvent => ({ origin, at: 1, path: "", body: '{"type":"usage"}' });
const batch = (records: JournalRecord[], events: LoggedEvent[]) => ({ take: () => ({ records, events }), putBack: () => undefined });
const atEnd = (log = batch([], [])) => ({ log, lastEvents: [], at: 2 });

async function claimOne(storage: Storage): Promise<Ownership> {
  const [run] = await claim(storage);
  if (run === undefined) throw new Error("nothing to claim");
  return run;
}

describe.each(DATABASES)("storage in %s", (database) => {
  it("refuses events, journal, restarts and endings of an attempt that has lost the run", async () => {
    const storage = await openStoreIn(database);
    await storage.runs.create(newRun("a"));
    const stale = await claimOne(storage);
    await storage.runs.append(stale, batch([record(0)], [event("0.0/x@0")]));
    const owner = await claimOne(await storage.crash());
    expect(owner.attempt).toBe(stale.attempt + 1);
    await expect(storage.runs.append(stale, batch([record(1)], [event("0.0/x@1")]))).rejects.toMatchObject({ code: "fenced" });
    await expect(storage.runs.restart(stale, { reason: "r", fingerprint: "2", at: 2 })).rejects.toMatchObject({ code: "fenced" });
    await expect(storage.runs.endSegment(stale, ENDED, atEnd())).rejects.toMatchObject({ code: "fenced" });
    await expect(storage.runs.endSegment(stale, { type: "drained" }, atEnd())).rejects.toMatchObject({ code: "fenced" });
    await storage.runs.append(owner, batch([record(1)], [event("0.0/x@1")]));
    await storage.runs.endSegment(owner, ENDED, atEnd());
    expect((await storage.runs.events("a", 0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await storage.runs.get("t", "a")).toMatchObject({ status: "succeeded", usage: { toolCalls: 0 } });
  });

  it("writes nothing of a batch whose origin already exists, and keeps the sequence without a gap", async () => {
    const storage = await openStoreIn(database);
    await storage.runs.create(newRun("a"));
    const owner = await claimOne(storage);
    await storage.runs.append(owner, batch([], [event("0.0/x@0")]));
    await expect(storage.runs.append(owner, batch([record(0)], [event("0.0/x@1"), event("0.0/x@0")]))).rejects.toThrow(/unique/i);
    expect((await storage.runs.events("a", 2, 100)).map(({ seq }) => seq)).toEqual([3]);
    await storage.runs.append(owner, batch([], [event("0.0/x@2")]));
    expect((await Array.fromAsync(storage.runs.loggedEvents("a"))).map(({ seq, event }) => [seq, event.origin])).toEqual([
      [1, "life/run-queued/0"],
      [2, "life/run-started/1"],
      [3, "0.0/x@0"],
      [4, "0.0/x@2"],
    ]);
    expect(await Array.fromAsync(storage.runs.journal("a"))).toEqual([]);
  });

  it("writes what is missing of a batch whose write seemed to fail", async () => {
    const storage = await openStoreIn(database);
    await storage.runs.create(newRun("a"));
    const owner = await claimOne(storage);
    await storage.runs.append(owner, batch([record(0)], [event("0.0/x@0")]));
    const again = { ...batch([record(0), record(1)], [event("0.0/x@0"), event("0.0/x@1")]).take(), isAgain: true };
    await storage.runs.release(owner, { crashed: false, log: { take: () => again, putBack: () => undefined } });
    expect((await storage.runs.events("a", 2, 100)).map(({ seq }) => seq)).toEqual([3, 4]);
    expect(await claimOne(storage)).toMatchObject({ records: [record(0), record(1)], events: [event("0.0/x@0"), event("0.0/x@1")] });
    await expect(storage.runs.release(owner, { crashed: false })).rejects.toMatchObject({ code: "fenced" });
  });

  it("gives a claimed run everything that an earlier attempt stored of its segment", async () => {
    const storage = await openStoreIn(database);
    await storage.runs.create(newRun("a"));
    await storage.runs.append(await claimOne(storage), batch([record(0), record(1)], [event("0.0/x@0")]));
    const [again] = await claim(await storage.crash(), { at: 2, limit: 5 });
    expect(again?.records).toEqual([record(0), record(1)]);
    expect(again?.events).toEqual([event("0.0/x@0")]);
    const restarted = await storage.runs.restart(again as Ownership, { reason: "changed", fingerprint: "2", at: 3 });
    expect(restarted).toMatchObject({ records: [], events: [], cache: [[record(0), record(1)]], segment: { epoch: 1, fingerprint: "2" } });
  });

  it("claims the oldest runs first, one of each thread, and no more than requested", async () => {
    const storage = await openStoreIn(database);
    for (const [id, thread] of [
      ["a", "x"],
      ["b", "x"],
      ["c", "y"],
      ["d", "z"],
    ] as const)
      await storage.runs.create(newRun(id, thread));
    const claimed = await claim(storage, { limit: 2 });
    expect(claimed.map(({ runId }) => runId)).toEqual(["a", "c"]);
    expect((await claim(storage, { limit: 9 })).map(({ runId }) => runId)).toEqual(["d"]);
    await storage.runs.endSegment(claimed[0] as Ownership, ENDED, atEnd());
    expect((await claim(storage, { limit: 9 })).map(({ runId }) => runId)).toEqual(["b"]);
  });

  it("does to the other runs of a thread what a new one wants", async () => {
    const storage = await openStoreIn(database);
    const { runs } = storage;
    const create = (id: string, onBusyThread: BusyThread) => runs.create({ ...newRun(id, "x"), onBusyThread });
    const statusOf = async (id: string) => (await runs.get("t", id))?.status;
    await create("a", "reject");
    const first = await claimOne(storage);
    await create("b", "enqueue");
    await expect(create("c", "reject")).rejects.toMatchObject({ code: "thread_busy" });
    expect(await runs.get("t", "c")).toBeNull();
    expect(await create("d", "interrupt")).toMatchObject({ stopped: ["a"] });
    expect([await statusOf("a"), await statusOf("b"), await statusOf("d")]).toEqual(["running", "cancelled", "queued"]);
    expect((await runs.look(["a"], 1)).cancelled).toEqual(["a"]);
    expect(await claim(storage)).toEqual([]);
    await runs.endSegment(first, { ...ENDED, status: "cancelled" }, atEnd());
    const second = await claimOne(storage);
    expect(second.runId).toBe("d");
    expect(await create("e", "rollback")).toMatchObject({ stopped: ["d"] });
    await runs.endSegment(second, ENDED, atEnd());
    expect((await claimOne(storage)).runId).toBe("e");
    expect([await statusOf("a"), await runs.get("t", "d")]).toEqual(["cancelled", null]);
  });

  it("starts a run at its time, and others of its thread meanwhile", async () => {
    const storage = await openStoreIn(database);
    const startAfter = Date.UTC(2100, 0, 1);
    await storage.runs.create({ ...newRun("later", "x"), startAfter });
    await storage.runs.create(newRun("now", "x"));
    const owner = await claimOne(storage);
    expect(owner.runId).toBe("now");
    expect((await storage.runs.look([], startAfter - 1)).isDue).toBe(false);
    expect((await storage.runs.look([], startAfter)).isDue).toBe(true);
    await storage.runs.endSegment(owner, ENDED, atEnd());
    expect(await claim(storage, { at: startAfter - 1 })).toEqual([]);
  });

  it("starts the first run of a tenant before the many of another one", async () => {
    const storage = await openStoreIn(database);
    for (const id of ["a", "b", "c"]) await storage.runs.create(newRun(id));
    await storage.runs.create({ ...newRun("d"), tenant: "u" });
    expect((await claim(storage, { limit: 2 })).map(({ runId }) => runId)).toEqual(["a", "d"]);
  });

  it("stores a text once however many runs use it, and returns it byte for byte", async () => {
    const storage = await openStoreIn(database);
    const text = "𝄞 表情 👩‍👩‍👧 e\u0301\n\ttab";
    const document = { text, title: "t", url: "u", language: null, publishedAt: null, author: null, blocks: [] };
    const [first, second] = [await storage.documents.put("a", document), await storage.documents.put("b", document)];
    expect(first.contentHash).toBe(second.contentHash);
    expect((await storage.documents.get("b", first.contentHash)).text).toBe(text);
    await expect(storage.documents.get("c", first.contentHash)).rejects.toMatchObject({ code: "not_found" });
  });

  it("starts a segment on the code of the claim, and continues a started one on its own code", async () => {
    const storage = await openStoreIn(database);
    await storage.runs.create(newRun("a"));
    const [first] = await claim(storage, { fingerprint: "old" });
    expect(first?.segment.fingerprint).toBe("old");
    const next = await storage.crash();
    const [second] = await claim(next, { fingerprint: "new" });
    expect(second?.segment.fingerprint).toBe("new");
    await storage.runs.append(second as Ownership, batch([record(0)], []));
    const [third] = await claim(await storage.crash(), { fingerprint: "newer" });
    expect(third?.segment.fingerprint).toBe("new");
    expect(await storage.runs.segments("a")).toMatchObject([{ fingerprint: "new" }]);
  });
});
