import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Retention } from "../../src/runs/retention.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { claim, newRun, openStore } from "../storage/open-store.ts";

/** No thread has material. */
const threads = { deleteUnused: async () => 0, freeOriginals: async () => undefined };

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
  const retention = new Retention({
    store,
    threads,
    days: 5,
    maxBytes: null,
    clock,
    onDeleted: (one) => deleted.push(one),
    onTooLarge: fail,
  });
  await retention.clean();
  retention.close();
  expect(await left()).toEqual(["queued", "r3", "r4"]);
  expect(deleted).toEqual([{ runs: 2, bytes: await store.lastingBytes() }]);
  expect(pages()).toBeLessThan(before * 0.7);
});

it("deletes the runs that ended first while the data is too large, but none of the last day", async () => {
  const { store, left } = await openWithRuns(5);
  const maxBytes = (await store.lastingBytes()) * 0.6;
  let now = 2 * DAY_MS;
  const options = { store, threads, days: null, maxBytes, clock: () => now, onDeleted: () => undefined };
  const early = new Retention({ ...options, onTooLarge: () => undefined });
  await early.clean();
  early.close();
  expect(await left()).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  now = 9 * DAY_MS;
  const retention = new Retention({ ...options, onTooLarge: fail });
  await retention.clean();
  retention.close();
  const runs = await left();
  expect(runs.at(-1)).toBe("r5");
  expect(runs).not.toContain("r1");
  expect(await store.lastingBytes()).toBeLessThanOrEqual(maxBytes);
});

it("keeps the database at one size through a hundred days of runs", async () => {
  const { storage, store, pages } = await openWithRuns(0);
  let now = 0;
  const retention = new Retention({
    store,
    threads,
    days: 5,
    maxBytes: null,
    clock: () => now,
    onDeleted: () => undefined,
    onTooLarge: fail,
  });
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

it("keeps the runs of a tenant for as long as that tenant wants", async () => {
  const { store, left } = await openWithRuns(4);
  const options = { store, threads, maxBytes: null, clock: () => 7.5 * DAY_MS, onDeleted: () => undefined, onTooLarge: fail };
  const cleanWith = async (days: number | null, daysOf: Record<string, number>): Promise<string[]> => {
    const retention = new Retention({ ...options, days, daysOf });
    await retention.clean();
    retention.close();
    return left();
  };
  expect(await cleanWith(5, { t: 6 })).toEqual(["r2", "r3", "r4"]);
  expect(await cleanWith(null, { u: 1 })).toEqual(["r2", "r3", "r4"]);
  expect(await cleanWith(null, { t: 5 })).toEqual(["r3", "r4"]);
});

it("keeps every run if nothing is set", async () => {
  const { store, left } = await openWithRuns(2);
  const retention = new Retention({
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

it("cleans at the start of the service", async () => {
  const clock = jumpingClock();
  const first = await openDossier({ parts: { clock: clock.now } });
  const { id } = await first.start({ question: "谁建造了灯塔？".repeat(500) });
  await first.finish(id);
  await first.close(0);
  clock.jump(3 * DAY_MS);
  const second = await openDossier({
    dir: first.dir,
    parts: { clock: clock.now },
    environment: { RETENTION_DAYS: "2" },
  });
  const before = await second.operations.ready();
  expect(before).toEqual({ bytes: expect.any(Number), tooLarge: false, cleaned: null });
  await second.recover();
  await expect.poll(() => second.runs.list(TENANT, { limit: 1 }).then(({ runs }) => runs)).toEqual([]);
  await expect.poll(() => second.operations.ready()).toMatchObject({ cleaned: expect.stringMatching(/^\d{4}-.*Z$/) });
  await expect.poll(async () => (await second.operations.ready()).bytes).toBeLessThan(before.bytes);
  await second.close(0);
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
