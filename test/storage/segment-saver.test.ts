import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { SegmentSaver } from "../../src/storage/segment-saver.ts";
import { WriteQueue } from "../../src/storage/write-queue.ts";

const METADATA = { source: "loop", step: 0, parents: {} } as const;

function open() {
  const database = new Database(":memory:");
  const saver = new SegmentSaver(database, new WriteQueue(database));
  const stored = (): unknown => database.prepare("select count(*) from checkpoints").pluck().get();
  const put = (attempt?: number) =>
    saver.put({ configurable: { thread_id: "词", ...(attempt === undefined ? {} : { attempt }) } }, emptyCheckpoint(), METADATA);
  const write = async (attempt: number): Promise<void> => (await saver.prepare({ runId: "词", attempt }))();
  return { saver, stored, put, write };
}

it("keeps the checkpoints of two attempts at one run apart", async () => {
  const { saver, stored, put, write } = open();
  saver.hold({ runId: "词", attempt: 1 }, true);
  saver.hold({ runId: "词", attempt: 2 }, true);
  await put(1);
  await put(1);
  await put(2);
  expect(stored()).toBe(0);
  await write(2);
  expect(stored()).toBe(1);
});

it("keeps nothing of an attempt that has lost its run, whatever arrives later", async () => {
  const { saver, stored, put, write } = open();
  saver.hold({ runId: "词", attempt: 1 }, true);
  await put(1);
  saver.drop({ runId: "词", attempt: 1 });
  await put(1);
  await write(1);
  expect(stored()).toBe(0);
});

it("stores writes that belong to no attempt at once", async () => {
  const { stored, put } = open();
  await put();
  expect(stored()).toBe(1);
});
