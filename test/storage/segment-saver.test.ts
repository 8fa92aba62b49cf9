import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { allRows } from "../../src/storage/database.ts";
import { DATABASES, openStoreIn } from "./open-store.ts";

const METADATA = { source: "loop", step: 0, parents: {} } as const;

async function open(name: (typeof DATABASES)[number]) {
  const { checkpoints: saver, database } = await openStoreIn(name);
  const stored = async () => (await allRows(database, sql`select * from checkpoints`)).length;
  const put = (attempt?: number) =>
    saver.put({ configurable: { thread_id: "词", ...(attempt === undefined ? {} : { attempt }) } }, emptyCheckpoint(), METADATA);
  const write = async (attempt: number): Promise<void> => database.write(await saver.prepare({ runId: "词", attempt }));
  return { saver, database, stored, put, write };
}

describe.each(DATABASES)("checkpoints in %s", (name) => {
  it("keeps the checkpoints of two attempts at one run apart", async () => {
    const { saver, database, stored, put, write } = await open(name);
    await database.write((tx) => saver.hold(tx, { runId: "词", attempt: 1 }, 0));
    await database.write((tx) => saver.hold(tx, { runId: "词", attempt: 2 }, 0));
    await put(1);
    await put(1);
    await put(2);
    expect(await stored()).toBe(0);
    await write(2);
    expect(await stored()).toBe(1);
  });

  it("keeps nothing of an attempt that has lost its run, whatever arrives later", async () => {
    const { saver, database, stored, put, write } = await open(name);
    await database.write((tx) => saver.hold(tx, { runId: "词", attempt: 1 }, 0));
    await put(1);
    saver.drop({ runId: "词", attempt: 1 });
    await put(1);
    await write(1);
    expect(await stored()).toBe(0);
  });

  it("stores writes that belong to no attempt at once", async () => {
    const { stored, put } = await open(name);
    await put();
    expect(await stored()).toBe(1);
  });
});
