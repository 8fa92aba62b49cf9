import { expect, it } from "vitest";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import type { Report } from "../../src/domain/report.ts";
import type { Storage } from "../../src/storage/sqlite/open-storage.ts";
import { newRun, openStore } from "./open-store.ts";

const TEXT = "雾川湖的面积是42平方公里。湖水来自雪山。";
const DOCUMENT = { text: TEXT, title: "湖", url: "https://example.org/lake", blocks: [] } as unknown as ExtractedDocument;

function reportOn(contentHash: string): Report {
  const claim = (text: string, citations: number[], supported: boolean) => ({ text, citations, supported, section: "", origins: 1 });
  const found = { kind: "web" as const, title: "湖", url: "https://example.org/lake", publishedAt: null, foundBy: "web", score: 1 };
  return {
    markdown: "",
    claims: [claim("雾川湖的面积是42平方公里。", [2], true), claim("据说很深。", [], false)],
    citations: [
      { id: 1, sourceId: "S1", contentHash, start: 14, end: 21, quote: "湖水来自雪山。" },
      { id: 2, sourceId: "S1", contentHash, start: 0, end: 14, quote: "雾川湖的面积是42平方公里。" },
    ],
    closest: [],
    sources: ["S1", "S2"].map((id) => ({ ...found, id, contentHash, status: "read" as const, failure: null })),
    coverage: { sentences: 2, supported: 1, unsupported: 1 },
    ledger: [],
  };
}

/** Ends the oldest run that waits. */
async function end(storage: Storage, report: Report | null): Promise<void> {
  const [owner] = await storage.runs.claim(1, 1, () => "1");
  if (owner === undefined) throw new Error("nothing to claim");
  const termination = { reason: "completed" as const, node: null, detail: null };
  const log = { peek: () => ({ records: [], events: [] }), written: () => undefined };
  await storage.runs.endSegment(owner, { type: "ended", status: "succeeded", termination, report, error: null }, { log, at: 2 });
}

it("gives what an earlier run of the thread has borne out, and its documents, to a later run of that thread alone", async () => {
  const storage = await openStore();
  await storage.runs.create(newRun("first", "thread"));
  const { contentHash } = await storage.documents.put("first", DOCUMENT);
  await end(storage, reportOn(contentHash));
  await storage.runs.create(newRun("second", "thread"));
  await storage.runs.create(newRun("elsewhere", "other"));
  await storage.runs.create({ ...newRun("stranger", "thread"), tenant: "u" });

  expect(await storage.findEarlier("elsewhere", "first")).toBeNull();
  expect(await storage.findEarlier("stranger", "first")).toBeNull();
  expect(await storage.findEarlier("first", "second")).toBeNull();
  expect(await storage.findEarlier("first", "first")).toBeNull();
  await expect(storage.documents.get("elsewhere", contentHash)).rejects.toMatchObject({ code: "not_found" });
  await expect(storage.documents.get("stranger", contentHash)).rejects.toMatchObject({ code: "not_found" });

  const found = await storage.findEarlier("second", "first");
  expect(found?.claims).toEqual([{ text: "雾川湖的面积是42平方公里。", citations: [2], supported: true, section: "" }]);
  expect(found?.citations.map(({ id }) => id)).toEqual([2]);
  expect(found?.sources.map(({ id }) => id)).toEqual(["S1"]);
  expect((await storage.documents.get("second", contentHash)).text).toBe(TEXT);
});

it("gives nothing of a run without a report", async () => {
  const storage = await openStore();
  await storage.runs.create(newRun("first", "thread"));
  await end(storage, null);
  await storage.runs.create(newRun("second", "thread"));
  expect(await storage.findEarlier("second", "first")).toBeNull();
});
