import { describe, expect, it } from "vitest";
import { DossierError } from "../../../src/errors.ts";
import { turns as takeTurns } from "../../helpers/turns.ts";
import { asking, corpusFolder, live } from "./corpus-folder.ts";

const query = { text: "osprey", language: "en", limit: 100 };

async function folderOf(count: number, options: Parameters<typeof corpusFolder>[0] = {}) {
  const folder = await corpusFolder(options);
  for (let i = 0; i < count; i++) await folder.write(`${i}.md`, `Osprey number ${i}.`);
  return folder;
}

describe("searches at the same time", () => {
  it("share one sync", async () => {
    const { corpus, extractor } = await folderOf(20);
    const found = await Promise.all(Array.from({ length: 10 }, () => corpus.search(query, asking(live()))));
    expect(found.map(({ hits }) => hits.length)).toEqual(Array(10).fill(20));
    expect(extractor.urls).toHaveLength(20);
  });

  it("leave the event loop responsive while files are indexed", async () => {
    const { corpus } = await folderOf(50);
    let turns = 0;
    let isSynced = false;
    const synced = corpus.sync(live()).then(() => {
      isSynced = true;
    });
    for (; !isSynced; turns += 1) await takeTurns(1);
    await synced;
    expect(turns).toBeGreaterThan(5);
  });

  it("reuse a sync of the last two seconds", async () => {
    const { corpus, clock, write } = await folderOf(1);
    const count = async (): Promise<number> => (await corpus.search(query, asking(live()))).hits.length;
    expect(await count()).toBe(1);
    await write("new.md", "Another osprey.");
    clock.now += 2_000;
    expect(await count()).toBe(1);
    clock.now += 1;
    expect(await count()).toBe(2);
  });
});

describe("a search that is aborted", () => {
  it("ends with the signal's reason, and leaves the others their sync", async () => {
    const { corpus, extractor } = await folderOf(20);
    const controller = new AbortController();
    const aborted = corpus.search(query, asking(controller.signal));
    const other = corpus.search(query, asking(live()));
    controller.abort(new DossierError("cancelled", "The run was cancelled."));
    await expect(aborted).rejects.toMatchObject({ code: "cancelled", message: "The run was cancelled." });
    expect((await other).hits).toHaveLength(20);
    expect(extractor.urls).toHaveLength(20);
  });

  it("ends the sync if nobody else waits for it; indexed files stay indexed", async () => {
    const controller = new AbortController();
    const { corpus, extractor } = await folderOf(20, {
      onProgress: ({ done }) => {
        if (done === 5) controller.abort();
      },
    });
    await expect(corpus.search(query, asking(controller.signal))).rejects.toMatchObject({ name: "DossierError", code: "cancelled" });
    expect((await corpus.search(query, asking(live()))).hits).toHaveLength(20);
    expect(extractor.urls).toHaveLength(20);
  });

  it("by a time limit has timed out", async () => {
    const { corpus } = await folderOf(1);
    const signal = AbortSignal.abort(new DOMException("It is late.", "TimeoutError"));
    await expect(corpus.search(query, asking(signal))).rejects.toMatchObject({ code: "timeout" });
    await expect(corpus.read({ ...(await corpus.search(query, asking(live()))).hits[0]! }, asking(signal))).rejects.toMatchObject({
      code: "timeout",
    });
  });
});

describe("a corpus that is closed", () => {
  it("ends the running sync, and refuses searches after that", async () => {
    const { corpus } = await folderOf(50);
    const syncing = corpus.sync(live());
    const ended = expect(syncing).rejects.toMatchObject({ code: "cancelled" });
    await corpus.close();
    await ended;
    await expect(corpus.search(query, asking(live()))).rejects.toMatchObject({ code: "cancelled" });
    await corpus.close();
  });
});
