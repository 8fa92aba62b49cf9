import { expect, it } from "vitest";
import { Budget } from "../../src/domain/budget.ts";
import { contentHashOf } from "../../src/domain/document.ts";
import { type Hit, rankAlone, URLS_SOURCE } from "../../src/domain/hit.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { DocumentReader, DocumentStore } from "../../src/domain/ports/sources.ts";
import type { Task } from "../../src/domain/task.ts";
import { DossierError } from "../../src/errors.ts";
import { Reader } from "../../src/gathering/reader.ts";
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
  const documents = {
    put: async (_: unknown, document: Awaited<ReturnType<DocumentReader["read"]>>) => ({
      ...document,
      contentHash: contentHashOf(document.text),
    }),
  } as DocumentStore;
  const effects: Effects = { ...plain, ...(budget && { budget }), perform: ({ live }) => live(plain.signal, NO_REPLIES) };
  const whole = { question: "?", sources: [], tools: [], limits: LIMITS, ...task } as unknown as Task;
  const options = { reader, documents, effects, task: whole, known, ledger: [], leftMs: () => 1_000 };
  const made = new Reader(options);
  const begin = (hit: Hit) => made.begin(rankAlone(hit, 1));
  return { made, asked, begin, read: async (hit: Hit): Promise<Read | null> => (await begin(hit)) ?? null };
}

const outcomes = ({ entries }: Read): string[] => entries.map(({ outcome, failure }) => failure ?? outcome);

it("takes what the run has read before, also under another spelling, at no cost and without a row in the ledger", async () => {
  const known: KnownReading[] = [
    { sourceId: "S1", address: "https://example.org/a", contentHash: "x", status: "snippet", failure: "timeout" },
  ];
  const { asked, read } = readerOf({ known, task: { limits: { downloads: 0 } as Task["limits"] } });
  expect(await read(page("a/"))).toMatchObject({ contentHash: "x", status: "snippet", failure: "timeout", isKnown: true, entries: [] });
  expect(await read(page("b"))).toBeNull();
  expect(asked).toEqual([]);
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

it("what tells that it is older than `since` is a failure, unless the user gave it", async () => {
  const dates = { "https://example.org/old": "2020", "https://example.org/new": "2024-05-01", "https://example.org/given": "2020" };
  const { read } = readerOf({ dates, task: { since: "2024-05-01" } });
  const pages = [page("old", { title: "Old" }), page("new"), page("given", { foundBy: URLS_SOURCE })];
  const reads = await Promise.all(pages.map((one) => read(one)));
  expect(reads.map((one) => one?.failure)).toEqual(["before_since", null, null]);
  expect(reads.map((one) => one && outcomes(one))).toEqual([["found", "before_since"], ["found"], ["found"]]);
});
