import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { newRun } from "./open-store.ts";

/** Opens the folder as the next process does, after the last one died. */
async function openNext(dir: string, last: Storage | null = null): Promise<Storage> {
  last?.close();
  const storage = await openStorage(dir);
  onTestFinished(() => storage.close());
  await storage.runs.requeueUnfinished();
  await storage.runs.claim(1, 10, () => "1");
  return storage;
}

async function openWithRuns(ids: readonly string[]): Promise<{ dir: string; storage: Storage }> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-marks-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const storage = await openNext(dir);
  for (const id of ids) await storage.runs.create(newRun(id));
  await storage.runs.claim(1, 10, () => "1");
  return { dir, storage };
}

const crashesIn = ({ runs }: Storage, ids: readonly string[]) => Promise.all(ids.map((id) => runs.crashesOf(id)));

it("charges the end of the process to the runs that did not only wait, and forgets the notes of earlier processes", async () => {
  const ids = ["waits", "works", "goes on", "is closed", "never told"];
  const { dir, storage } = await openWithRuns(ids);
  const waiting = new Set(["waits", "goes on", "is closed"]);
  const [, , goesOn, closed] = ids.slice(0, 4).map((id) => {
    const mark = storage.runs.openWaitMark(id, () => waiting.has(id));
    mark.touch();
    return mark;
  });
  await nextTurn();
  goesOn?.touch();
  closed?.close();
  closed?.touch();
  const second = await openNext(dir, storage);
  expect(await crashesIn(second, ids)).toEqual([0, 1, 1, 1, 1]);
  expect(await crashesIn(await openNext(dir, second), ids)).toEqual([1, 2, 2, 2, 2]);
});

it.each([
  ["died", [0, 0]],
  ["was stopped", [1, 1]],
])("of a process that %s while no run was in progress, the next one knows it", async (end, crashes) => {
  const { dir, storage } = await openWithRuns(["a", "b"]);
  const second = await openNext(dir, storage);
  for (const runId of ["a", "b"]) await second.runs.release({ runId, attempt: 2 }, { crashed: false });
  expect(await crashesIn(second, ["a", "b"])).toEqual([1, 1]);
  const quiet = second.runs.openQuietMark();
  await nextTurn();
  if (end === "was stopped") quiet.close();
  expect(await crashesIn(await openNext(dir, second), ["a", "b"])).toEqual(crashes);
});

it("charges nothing to a run that waits again", async () => {
  const { dir, storage } = await openWithRuns(["a", "b"]);
  const marks = ["a", "b"].map((id) => storage.runs.openWaitMark(id, () => true));
  for (let turn = 0; turn < 3; turn += 1) {
    for (const mark of marks) mark.touch();
    await nextTurn();
  }
  marks[0]?.touch();
  expect(await crashesIn(await openNext(dir, storage), ["a", "b"])).toEqual([1, 0]);
});
