import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { createWorkerPool } from "../../src/compose/worker-pool.ts";
import { checkpoint, LogCheckpoints } from "../../src/storage/sqlite/log-checkpoints.ts";

async function open() {
  const dir = await mkdtemp(join(tmpdir(), "dossier-log-"));
  const file = join(dir, "dossier.sqlite");
  const database = new Database(file, { timeout: 0 });
  onTestFinished(async () => {
    database.close();
    await rm(dir, { recursive: true, force: true });
  });
  database.pragma("journal_mode = WAL");
  database.pragma("wal_autocheckpoint = 0");
  database.exec("create table lines (text text)");
  const insert = database.prepare("insert into lines values (?)");
  const count = (): unknown => database.prepare("select count(*) from lines").pluck().get();
  return {
    database,
    file,
    write: (length: number) => insert.run("字".repeat(length)),
    count,
    logBytes: () => statSync(`${file}-wal`).size,
  };
}

async function openWithPool(options: object = {}) {
  const opened = await open();
  const workers = createWorkerPool(1);
  onTestFinished(() => workers.close());
  const log = new LogCheckpoints({ database: opened.database, workers, minBytes: 0, intervalMs: 1, ...options });
  onTestFinished(() => log.close());
  return { ...opened, log };
}

it("copies the log after a commit, and shortens it when it is to be emptied", async () => {
  const { write, log, count, logBytes } = await openWithPool();
  for (let i = 0; i < 20; i += 1) {
    write(10_000);
    log.wrote();
  }
  log.empty();
  await expect.poll(logBytes).toBe(0);
  expect(count()).toBe(20);
});

it("starts no thread for a short log", async () => {
  const run = vi.fn(async () => undefined);
  const { write, log, file } = await openWithPool({ workers: { run }, minBytes: 1_000_000 });
  write(1);
  log.wrote();
  write(400_000);
  log.wrote();
  await expect.poll(() => run.mock.calls.length).toBe(1);
  expect(run.mock.calls).toMatchObject([[expect.any(URL), "checkpoint", { file, truncate: false }, {}]]);
});

it("does nothing after it is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { log } = await openWithPool();
  log.wrote();
  expect(vi.getTimerCount()).toBe(1);
  log.close();
  log.wrote();
  expect(vi.getTimerCount()).toBe(0);
});

it("starts a long log again at its beginning, so that it stops growing", async () => {
  const { file, write, logBytes } = await open();
  const LENGTH = 1_000_000;
  for (let i = 0; i < 6; i += 1) write(LENGTH);
  const before = logBytes();
  expect(before).toBeGreaterThan(4_000 * 4_096);
  checkpoint({ file, truncate: false });
  for (let i = 0; i < 5; i += 1) write(LENGTH);
  expect(logBytes()).toBe(before);
});

it("does what it can while another program reads and writes", async () => {
  const { file, write, count, logBytes } = await open();
  write(1_000);
  const other = new Database(file);
  const lines = other.prepare("select text from lines").iterate();
  lines.next();
  write(1_000);
  checkpoint({ file, truncate: true });
  write(1_000);
  lines.return?.();
  other.exec("begin immediate");
  checkpoint({ file, truncate: true });
  expect(logBytes()).toBeGreaterThan(0);
  other.exec("commit");
  checkpoint({ file, truncate: true });
  expect([logBytes(), count()]).toEqual([0, 3]);
  other.close();
});
