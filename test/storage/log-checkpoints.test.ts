import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, it, onTestFinished, vi } from "vitest";
import { createWorkerPool } from "../../src/compose/worker-pool.ts";
import { type CheckpointTask, checkpoint } from "../../src/storage/sqlite/checkpoint-thread.ts";
import { LogCheckpoints } from "../../src/storage/sqlite/log-checkpoints.ts";

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
  const log = new LogCheckpoints({ database: opened.database, workers, minBytes: 0, intervalMs: 1, idleMs: 1, ...options });
  onTestFinished(() => log.close());
  return { ...opened, log };
}

it("empties the log when nothing is written any more", async () => {
  const { write, log, count, logBytes } = await openWithPool();
  for (let i = 0; i < 20; i += 1) {
    write(10_000);
    log.wrote();
  }
  await expect.poll(logBytes).toBe(0);
  write(10_000);
  log.wrote();
  await expect.poll(logBytes).toBe(0);
  expect(count()).toBe(21);
});

it("leaves a short log as it is", async () => {
  const run = vi.fn();
  const looked = Promise.withResolvers<number>();
  const { write, log } = await openWithPool({ workers: { run }, minBytes: 1_000_000, heldBytes: 0, onHeld: looked.resolve });
  write(1);
  log.wrote();
  expect(await looked.promise).toBeLessThan(1_000_000);
  await nextTurn();
  expect(run).not.toHaveBeenCalled();
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

it("tells once when another program keeps the log from being emptied", async () => {
  const held: number[] = [];
  let copies = 0;
  const run = async (_module: URL, _name: string, task: CheckpointTask): Promise<void> => {
    checkpoint(task);
    copies += 1;
  };
  const { file, write, log } = await openWithPool({ workers: { run }, heldBytes: 100_000, onHeld: (bytes: number) => held.push(bytes) });
  const other = new Database(file, { readonly: true });
  other.exec("begin");
  other.prepare("select count(*) from lines").get();
  for (let i = 0; i < 20; i += 1) write(10_000);
  for (let i = 1; i <= 6; i += 1) {
    write(10_000);
    log.wrote();
    await expect.poll(() => copies).toBeGreaterThanOrEqual(i);
  }
  expect(held).toEqual([expect.any(Number)]);
  expect(held[0]).toBeGreaterThan(100_000);
  other.exec("commit");
  other.close();
});
