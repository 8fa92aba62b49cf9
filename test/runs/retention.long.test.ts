import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { type RetentionTerms, retainRuns } from "../../src/runs/retention.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { claim, newRun, openStore } from "../storage/open-store.ts";

/** No thread has material. */
const threads = { deleteUnused: async () => 0, freeOriginals: async () => undefined, unusedBytes: async () => 0 };

const DAY_MS = 86_400_000;
const ENDED = { type: "ended", status: "succeeded", report: null, error: null } as const;
const COMPLETED = { reason: "completed", node: null, detail: null } as const;

type Opened = Awaited<ReturnType<typeof openStore>>;

function fail(): void {
  throw new Error("The data was not to be too large.");
}

/** Stores a run of about 400 KB that ends at `at`. */
async function addRun(storage: Opened, id: string, at: number): Promise<void> {
  await storage.runs.create(newRun(id, id, "长".repeat(130_000)));
  const [run] = await claim(storage, { at });
  if (run === undefined) throw new Error("The run was not claimed.");
  const log = { take: () => ({ records: [], events: [] }), putBack: () => undefined };
  await storage.runs.endSegment(run, { ...ENDED, termination: COMPLETED }, { log, lastEvents: [], at });
}

/** A store with runs `r1`, `r2`, ..., which ended on day 1, 2, ... */
async function openWithRuns(count: number) {
  const storage = await openStore();
  for (let day = 1; day <= count; day += 1) await addRun(storage, `r${day}`, day * DAY_MS);
  const left = async (): Promise<string[]> => (await storage.runs.list("t", { limit: 100 })).runs.map(({ id }) => id).toSorted();
  const pages = (): number => Number(storage.raw.pragma("page_count", { simple: true }));
  return { storage, store: storage.runs, left, pages };
}

it("deletes the runs that ended too long ago, and gives their space back to the disk", async () => {
  const { store, left, pages } = await openWithRuns(4);
  const waiting = newRun("queued", "queued");
  await store.create(waiting);
  const before = pages();
  const deleted: object[] = [];
  const clock = (): number => 7.5 * DAY_MS;
  const retention = retainRuns({ store, threads, days: 5, maxBytes: null, clock, onDeleted: (one) => deleted.push(one), onTooLarge: fail });
  await retention.clean();
  retention.close();
  expect(await left()).toEqual(["queued", "r3", "r4"]);
  expect(deleted).toEqual([{ runs: 2, bytes: await store.lastingBytes() }]);
  expect(pages()).toBeLessThan(before * 0.7);
});

it("deletes the runs that ended first while the data is too large", async () => {
  const { store, left } = await openWithRuns(5);
  const maxBytes = (await store.lastingBytes()) * 0.6;
  const retention = retainRuns({ store, threads, days: null, maxBytes, clock: () => 0, onDeleted: () => undefined, onTooLarge: fail });
  await retention.clean();
  retention.close();
  const runs = await left();
  expect(runs.at(-1)).toBe("r5");
  expect(runs).not.toContain("r1");
  expect(await store.bytes()).toBeLessThanOrEqual(maxBytes);
});

it("announces what a new setting will delete, and waits until it was to be seen", async () => {
  const { store, left } = await openWithRuns(4);
  let now = 7.5 * DAY_MS;
  let kept: RetentionTerms | null = null;
  const notices: object[] = [];
  const open = (days: number | null, maxBytes: number | null = null) => {
    const notice = {
      known: () => kept,
      keep(terms: RetentionTerms) {
        kept = terms;
      },
      waitMs: 3_600_000,
      onNotice: (one: object) => void notices.push(one),
    };
    return retainRuns({ store, threads, days, maxBytes, notice, clock: () => now, onDeleted: () => undefined, onTooLarge: fail });
  };
  const retention = open(5);
  await retention.clean();
  await retention.clean();
  expect([await left(), notices]).toEqual([["r1", "r2", "r3", "r4"], [{ runs: 2, excessBytes: 0, at: now + 3_600_000 }]]);
  now += 3_600_000;
  await retention.clean();
  retention.close();
  expect([await left(), kept]).toEqual([["r3", "r4"], { days: 5, maxBytes: null }]);

  // A known setting, and one that deletes less, need no notice.
  now += DAY_MS;
  for (const days of [5, 6]) {
    const again = open(days);
    await again.clean();
    again.close();
  }
  expect([await left(), notices.length, kept]).toEqual([["r4"], 1, { days: 6, maxBytes: null }]);
  const slip = open(6, 1_000);
  await slip.clean();
  slip.close();
  expect([await left(), notices[1]]).toEqual([["r4"], { runs: 0, excessBytes: (await store.lastingBytes()) - 1_000, at: now + 3_600_000 }]);
});

it("deletes no run for the size of other files, and says so once", async () => {
  const { storage, store, left } = await openWithRuns(3);
  const maxBytes = (await store.lastingBytes()) + 1_000;
  const index = join(dirname(storage.file), "corpus.sqlite");
  writeFileSync(index, Buffer.alloc(2 * maxBytes));
  const told: object[] = [];
  const onTooLarge = (size: object): void => void told.push(size);
  const retention = retainRuns({ store, threads, days: null, maxBytes, clock: () => 0, onDeleted: fail, onTooLarge });
  await retention.clean();
  await retention.clean();
  expect(await left()).toEqual(["r1", "r2", "r3"]);
  expect(told).toEqual([{ bytes: await store.lastingBytes(), otherBytes: store.otherBytes(), unusedBytes: 0 }]);
  expect((await retention.state()).tooLarge).toBe(true);
  rmSync(index);
  await retention.clean();
  expect((await retention.state()).tooLarge).toBe(false);
  retention.close();
});

it("keeps the database at one size through a hundred days of runs", async () => {
  const { storage, store, pages } = await openWithRuns(0);
  let now = 0;
  const retention = retainRuns({ store, threads, days: 5, maxBytes: null, clock: () => now, onDeleted: () => undefined, onTooLarge: fail });
  const sizes: number[] = [];
  for (let day = 1; day <= 100; day += 1) {
    now = day * DAY_MS;
    await addRun(storage, `r${day}`, now);
    await retention.clean();
    sizes.push(pages());
  }
  retention.close();
  expect(Math.max(...sizes.slice(10))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 10)) + 10);
});

it("keeps every run if nothing is set", async () => {
  const { store, left } = await openWithRuns(2);
  const retention = retainRuns({
    threads,
    store,
    days: null,
    maxBytes: null,
    clock: () => 9_999 * DAY_MS,
    onDeleted: () => undefined,
    onTooLarge: fail,
  });
  await retention.clean();
  retention.close();
  expect(await left()).toEqual(["r1", "r2"]);
});

it("cleans at the start of the service, and rewrites a database of an older version so that it can shrink", async () => {
  const clock = jumpingClock();
  const first = await openDossier({ parts: { clock: clock.now } });
  const { id } = await first.start({ question: "谁建造了灯塔？".repeat(500) });
  await first.finish(id);
  await first.close(0);
  const file = join(first.dir, "data", "dossier.sqlite");
  const old = new Database(file);
  old.pragma("auto_vacuum = NONE");
  old.exec("vacuum");
  expect(old.pragma("auto_vacuum", { simple: true })).toBe(0);
  old.close();
  clock.jump(3 * DAY_MS);
  const second = await openDossier({
    dir: first.dir,
    parts: { clock: clock.now },
    environment: { RETENTION_DAYS: "2", RETENTION_NOTICE_SECONDS: "0" },
  });
  const before = await second.operations.ready();
  expect(before).toEqual({ bytes: expect.any(Number), tooLarge: false, cleaned: null });
  await second.recover();
  await expect.poll(() => second.runs.list(TENANT, { limit: 1 }).then(({ runs }) => runs)).toEqual([]);
  await expect.poll(() => second.operations.ready()).toMatchObject({ cleaned: expect.stringMatching(/^\d{4}-.*Z$/) });
  await expect.poll(async () => (await second.operations.ready()).bytes).toBeLessThan(before.bytes);
  await second.close(0);
  const migrated = new Database(file, { readonly: true });
  expect(migrated.pragma("auto_vacuum", { simple: true })).toBe(2);
  migrated.close();
});

it("gives the space of a deleted run back to the disk while the service runs, and tells the size of its files", async () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `The lighthouse of Aldermoor has lamp number ${at}, which burns oil.\n\n`).join(
    "",
  );
  const dossier = await openDossier({ corpus: { "lighthouse.md": text } });
  const { id } = await dossier.start({ question: "Who built the lighthouse of Aldermoor?" });
  await dossier.finish(id);
  const folder = join(dossier.dir, "data");
  const database = (): number => ["", "-wal"].reduce((sum, end) => sum + statSync(join(folder, `dossier.sqlite${end}`)).size, 0);
  const all = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(database()).toBeGreaterThan(500_000);
  await dossier.runs.delete(TENANT, id);
  await expect.poll(database).toBeLessThan(400_000);
  expect((await dossier.operations.ready()).bytes).toBe(all());
});

it("deletes no run for the size while what was just given to threads without runs is too large alone", async () => {
  const { storage, store, left } = await openWithRuns(2);
  const place = { tenant: "t", threadId: "unused" };
  const text = "长".repeat(700_000);
  const document = { url: "upload:long.txt", title: "Long", text, mimeType: "text/plain", language: "zh", publishedAt: null, blocks: [] };
  await storage.threads.addDocument(
    place,
    {
      name: "long.txt",
      bytes: 2_100_000,
      document: document as never,
      original: { bytes: Buffer.alloc(0), mediaType: "text/plain", sha256: "" },
    },
    DAY_MS,
  );
  const tooLarge: object[] = [];
  const options = { store, threads: storage.threads, days: null, maxBytes: 1_500_000, onDeleted: fail };
  const retention = retainRuns({ ...options, clock: () => DAY_MS + 1, onTooLarge: (size) => tooLarge.push(size) });
  await retention.clean();
  retention.close();
  expect(await left()).toEqual(["r1", "r2"]);
  expect(tooLarge).toMatchObject([{ unusedBytes: 2_100_000 }]);
});
