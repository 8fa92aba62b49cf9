import { afterAll, describe, expect, it } from "vitest";
import { createWorkerPool } from "../../../src/compose/worker-pool.ts";
import { withAnalyses } from "../../../src/documents/analysis/analyzed-documents.ts";
import type { Block, ExtractedDocument } from "../../../src/domain/document.ts";
import type { WorkerPool } from "../../../src/domain/ports/workers.ts";
import { DossierError } from "../../../src/errors.ts";
import { analyzeText } from "../../../src/ranking/analyze-text.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { openStore } from "../../storage/open-store.ts";

const LONG = `# Lighthouses\n\n${"The lamp of Aldermoor burns 12 hours a night. 奥尔德穆尔灯塔每晚亮十二小时。\n\n".repeat(100)}`;
const SHORT = "The keeper went home.";

function documentOf(text: string, blocks: Block[] = []): ExtractedDocument {
  return { text, title: "Lighthouses", url: "https://example.com/", language: null, publishedAt: null, author: null, blocks };
}

const pool = createWorkerPool(1);
afterAll(() => pool.close());

/** Real threads, which count their tasks. */
function countingPool(): WorkerPool & { readonly tasks: string[] } {
  const tasks: string[] = [];
  return {
    tasks,
    run: (entry, name, task, limits) => {
      tasks.push(name);
      return pool.run(entry, name, task, limits);
    },
    close: async () => undefined,
  };
}

function open({ documents, analyses }: Storage) {
  const workers = countingPool();
  return { workers, documents: withAnalyses(documents, workers, analyses) };
}

describe("the analysis of a text", () => {
  it.each([
    ["in a thread if it is long", LONG, 1],
    ["at once if it is short", SHORT, 0],
  ])("is made %s, once for any number of runs", async (_, text, tasks) => {
    const { documents, workers } = open(await openStore());
    const { contentHash } = await documents.put("run-1", documentOf(text));
    await documents.put("run-2", documentOf(text));
    const { analysis, ...document } = await documents.getAnalyzed("run-2", contentHash);
    expect(analysis).toEqual(analyzeText(documentOf(text)));
    expect(document).toEqual({ ...documentOf(text), contentHash });
    expect(workers.tasks).toHaveLength(tasks);
  });

  it("is read from the database after a restart", async () => {
    const storage = await openStore();
    const { documents } = open(storage);
    const { contentHash } = await documents.put("run-1", documentOf(LONG));
    await documents.getAnalyzed("run-1", contentHash);
    const later = open(storage);
    expect((await later.documents.getAnalyzed("run-1", contentHash)).analysis).toEqual(analyzeText(documentOf(LONG)));
    expect(later.workers.tasks).toEqual([]);
  });

  it("is made once even if two runs store the text at the same time", async () => {
    const { documents, workers } = open(await openStore());
    const [stored] = await Promise.all(["run-1", "run-2"].map((run) => documents.put(run, documentOf(LONG))));
    await Promise.all(["run-1", "run-2"].map((run) => documents.getAnalyzed(run, stored?.contentHash ?? "")));
    expect(workers.tasks).toHaveLength(1);
  });

  it("depends on the blocks, which are those of the run's own document", async () => {
    const { documents } = open(await openStore());
    const heading: Block = { kind: "heading", start: 0, end: SHORT.length, level: 1 };
    const { contentHash } = await documents.put("run-1", documentOf(SHORT));
    await documents.put("run-2", documentOf(SHORT, [heading]));
    const { analysis: first } = await documents.getAnalyzed("run-1", contentHash);
    const { analysis: second } = await documents.getAnalyzed("run-2", contentHash);
    expect([first.parents.length, second.parents.length]).toEqual([1, 2]);
  });

  it("does not fail a text that is stored, only those who need it", async () => {
    const { documents } = await openStore();
    const broken: WorkerPool = { run: () => Promise.reject(new DossierError("timeout", "Too long.")), close: async () => undefined };
    const store = withAnalyses(documents, broken, null);
    const { contentHash } = await store.put("run-1", documentOf(LONG));
    expect((await store.get("run-1", contentHash)).text).toBe(LONG);
    await expect(store.getAnalyzed("run-1", contentHash)).rejects.toMatchObject({ code: "timeout" });
  });

  it("is made again if the stored one is damaged", async () => {
    const storage = await openStore();
    const damaged = { ...storage, analyses: { ...storage.analyses, get: async () => new Uint8Array([1, 2, 3]) } };
    const { documents } = open(damaged);
    const { contentHash } = await documents.put("run-1", documentOf(SHORT));
    expect((await documents.getAnalyzed("run-1", contentHash)).analysis).toEqual(analyzeText(documentOf(SHORT)));
  });
});
