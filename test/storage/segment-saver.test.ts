import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { expect, it } from "vitest";
import { openStore } from "./open-store.ts";

const METADATA = { source: "loop", step: 0, parents: {} } as const;

async function open() {
  const { checkpoints: saver, database, raw } = await openStore();
  const stored = (): unknown => raw.prepare("select count(*) from checkpoints").pluck().get();
  const put = (attempt?: number) =>
    saver.put({ configurable: { thread_id: "词", ...(attempt === undefined ? {} : { attempt }) } }, emptyCheckpoint(), METADATA);
  const write = async (attempt: number): Promise<void> => database.write(await saver.prepare({ runId: "词", attempt }));
  return { saver, database, stored, put, write };
}

it("keeps the checkpoints of two attempts at one run apart", async () => {
  const { saver, database, stored, put, write } = await open();
  await database.write((tx) => saver.hold(tx, { runId: "词", attempt: 1 }, 0));
  await database.write((tx) => saver.hold(tx, { runId: "词", attempt: 2 }, 0));
  await put(1);
  await put(1);
  await put(2);
  expect(stored()).toBe(0);
  await write(2);
  expect(stored()).toBe(1);
});

it("keeps nothing of an attempt that has lost its run, whatever arrives later", async () => {
  const { saver, database, stored, put, write } = await open();
  await database.write((tx) => saver.hold(tx, { runId: "词", attempt: 1 }, 0));
  await put(1);
  saver.drop({ runId: "词", attempt: 1 });
  await put(1);
  await write(1);
  expect(stored()).toBe(0);
});

it("stores writes that belong to no attempt at once", async () => {
  const { stored, put } = await open();
  await put();
  expect(stored()).toBe(1);
});
