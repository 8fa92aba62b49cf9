import { expect, it } from "vitest";
import { Budget } from "../../src/domain/budget.ts";
import { contentHashOf } from "../../src/domain/document.ts";
import { type Hit, rankAlone, URLS_SOURCE } from "../../src/domain/hit.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { DocumentReader, DocumentStore } from "../../src/domain/ports/sources.ts";
import type { Task } from "../../src/domain/task.ts";
import { DossierError } from "../../src/errors.ts";
import { Reader, shareRead } from "../../src/gathering/reader.ts";
import type { KnownReading, Read } from "../../src/gathering/reading.ts";
import { NO_REPLIES } from "../../src/journal/completions.ts";
import { foundPage } from "../helpers/page-source.ts";
import { plainEffects } from "../helpers/plain-effects.ts";

const page = (path: string, more: Partial<Hit> = {}): Hit => ({ ...foundPage("pages", `https://example.org/${path}`), ...more });
const LIMITS = { downloads: 3 };

interface World {
  readonly task?: Partial<Task>;
  readonly known?: readonly KnownReading[];
  /** The dates of pages by their addresses. */
  readonly dates?: Readonly<Record<string, string>>;
  readonly budget?: Budget;
}

/** A reader of pages, whose texts are their addresses. Pages named `gone` cannot be read, and equal ones have the ending `copy`. */
function readerOf({ task = {}, known = [], dates = {}, budget }: World = {}, plain = plainEffects()) {
  const asked: string[] = [];
  const reader: DocumentReader = {
    async read({ url }) {
      asked.push(new URL(url).pathname.slice(1));
      if (url.includes("gone")) throw new DossierError("not_found", "It is gone.");
      const text = url.endsWith("copy") ? "one text" : url;
      return { text, title: "灯塔", url, language: null, publishedAt: dates[url] ?? null, author: null, blocks: [] };
    },
  };
  const stored = async (document: Awaited<ReturnType<DocumentReader["read"]>>) => ({
    ...document,
    contentHash: contentHashOf(document.text),
  });
  const documents: DocumentStore = {
    put: (_, document) => stored(document),
    get: async (run, hash) => {
      if (run !== "earlier") throw new DossierError("not_found", hash);
      return stored({ text: "earlier", title: "", url: "", language: null, publishedAt: "2019-01-01", author: null, blocks: [] });
    },
    getAnalyzed: () => Promise.reject(new DossierError("not_found", "Nothing is analyzed.")),
  };
  const effects: Effects = { ...plain, ...(budget && { budget }), perform: ({ live }) => live(plain.signal, NO_REPLIES) };
  const whole = { question: "?", sources: [], tools: [], limits: LIMITS, ...task } as unknown as Task;
  const options = { reader, documents, effects, task: whole, known, ledger: [], leftMs: () => 1_000 };
  const made = new Reader(options);
  const begin = (hit: Hit, another?: Hit) => made.begin(rankAlone(hit, 1), another);
  return {
    made,
    asked,
    effects,
    begin,
    read: async (hit: Hit, another?: Hit): Promise<Read | null> => (await begin(hit, another)) ?? null,
  };
}

const outcomes = ({ entries }: Read): string[] => entries.map(({ outcome, failure }) => failure ?? outcome);

it("reads an address once, however it is written, and counts it once", async () => {
  const { asked, read, made } = readerOf();
  const reads = await Promise.all([page("灯塔"), page("%E7%81%AF%E5%A1%94/"), page("灯塔?utm_source=x")].map((hit) => read(hit)));
  expect(asked).toHaveLength(1);
  expect(reads.map((one) => one?.downloads)).toEqual([1, 0, 0]);
  expect(new Set(reads.map((one) => one?.contentHash)).size).toBe(1);
  expect(reads.flatMap((one) => (one === null ? [] : made.learned(one))).map(({ sourceId }) => sourceId)).toEqual(
    reads.map((one) => one?.hit.id),
  );
});

it("takes what the run has read before, also under another spelling, at no cost and without a row in the ledger", async () => {
  const known: KnownReading[] = [
    { sourceId: "S1", address: "https://example.org/a", contentHash: "x", status: "snippet", failure: "timeout" },
  ];
  const { asked, read } = readerOf({ known, task: { limits: { downloads: 0 } as Task["limits"] } });
  expect(await read(page("a/"))).toMatchObject({ contentHash: "x", status: "snippet", failure: "timeout", isKnown: true, entries: [] });
  expect(await read(page("b"))).toBeNull();
  expect(asked).toEqual([]);
});

it("what two parts of a run read is downloaded by one of them, and is a reuse of the other", async () => {
  const effects = plainEffects();
  const [one, other] = [readerOf({}, effects), readerOf({}, effects)];
  const reads = await Promise.all([one.read(page("a")), other.read(page("a#top"))]);
  expect(reads.map((read) => read && outcomes(read))).toEqual([["found"], ["reused"]]);
  expect([...one.asked, ...other.asked]).toEqual(["a"]);
  shareRead("https://example.org/b", { contentHash: "y", title: "" }, effects);
  expect(await other.read(page("b"))).toMatchObject({ contentHash: "y", downloads: 0 });
});

it("a page that cannot be read is tried again in a later round, and not in the same one", async () => {
  const effects = plainEffects();
  const [one, other] = [readerOf({}, effects), readerOf({}, effects)];
  const reads = await Promise.all([one.read(page("gone")), other.read(page("gone"))]);
  expect(reads.map((read) => [read?.failure, read?.downloads])).toEqual([
    ["not_found", 1],
    ["not_found", 0],
  ]);
  const [again] = [await other.read(page("gone/")), await one.read(page("gone"))];
  expect([again?.failure, one.asked, other.asked]).toEqual(["not_found", ["gone"], []]);
  const later = readerOf({}, effects);
  await later.read(page("gone"));
  expect(later.asked).toEqual(["gone"]);
});

it("reads no more than limits, budget and depth allow; copies and failures do not take the places of the depth", async () => {
  const limited = readerOf();
  expect(["a", "b", "c", "d"].map((path) => limited.begin(page(path)) !== null)).toEqual([true, true, true, false]);
  const budget = new Budget({ modelCalls: 0, tokens: 0, costUsd: null, downloads: 1 });
  const poor = readerOf({ budget });
  expect(["a", "b"].map((path) => poor.begin(page(path)) !== null)).toEqual([true, false]);
  const quick = readerOf({ task: { depth: "quick", limits: { downloads: 20 } as Task["limits"] } });
  await Promise.all(["1copy", "2copy", "gone", "a", "b", "c"].map((path) => quick.read(page(path))));
  expect([quick.made.mayReadMore, ...["d", "e", "f"].map((path) => quick.begin(page(path)) !== null)]).toEqual([true, true, true, false]);
  expect(quick.begin(page("given", { foundBy: URLS_SOURCE }))).not.toBeNull();
});

it("tries another address of a work if the first fails and a download is left", async () => {
  const { read } = readerOf({ task: { limits: { downloads: 2 } as Task["limits"] } });
  const one = await read(page("gone"), page("there"));
  expect(one).toMatchObject({ status: "failed", failure: "not_found", downloads: 2, others: [{ status: "read" }] });
  expect(one && outcomes(one)).toEqual(["not_found", "found"]);
  expect(await read(page("more"), page("other"))).toBeNull();
});

it("what tells that it is older than `since` is a failure, of the run and of its thread, unless the user gave it", async () => {
  const hit = page("old", { title: "Old" });
  const threadReadings = [{ run: "earlier", contentHash: contentHashOf("earlier"), hit: page("thread") }];
  const dates = { "https://example.org/old": "2020", "https://example.org/new": "2024-05-01", "https://example.org/given": "2020" };
  const { read } = readerOf({ dates, task: { since: "2024-05-01", threadReadings, limits: { downloads: 5 } as Task["limits"] } });
  const given = page("given", { foundBy: URLS_SOURCE });
  const reads = await Promise.all([hit, page("new"), given, page("thread")].map((one) => read(one)));
  expect(reads.map((one) => one?.failure)).toEqual(["before_since", null, null, "before_since"]);
  expect(reads.map((one) => one && outcomes(one))).toEqual([["found", "before_since"], ["found"], ["found"], ["reused", "before_since"]]);
});

it("takes from the thread what an earlier run read, and downloads what is gone with that run", async () => {
  const reading = (run: string, path: string) => ({
    run,
    contentHash: contentHashOf("earlier"),
    hit: page(path, { readAt: "2026-01-02T00:00:00Z" }),
  });
  const { read, asked } = readerOf({ task: { threadReadings: [reading("earlier", "a"), reading("deleted", "b")] } });
  const [one, other] = [await read(page("a/")), await read(page("b"))];
  expect(one).toMatchObject({ downloads: 0, hit: { readAt: "2026-01-02T00:00:00Z" }, entries: [{ outcome: "reused" }] });
  expect(other).toMatchObject({ downloads: 1, entries: [{ outcome: "found" }] });
  expect(asked).toEqual(["b"]);
});
