import { expect, it } from "vitest";
import type { Citation, Report, Source } from "../../src/domain/report.ts";
import { readingsOf } from "../../src/storage/thread-readings.ts";

const source = (id: string, more: Partial<Source> = {}): Source => ({
  ...{ id, kind: "web", title: `海鸥 ${id}`, url: `https://found.example/${id}`, publishedAt: null, foundBy: "searxng" },
  ...{ score: 1, contentHash: `hash of ${id}`, status: "read", failure: null },
  ...more,
});
const cite = (sourceId: string): Citation => ({ id: 1, sourceId, contentHash: `hash of ${sourceId}`, start: 0, end: 2, quote: "引文" });
const run = (id: string, sources: Source[], cited: string[]) => ({
  id,
  report: { sources, citations: cited.map(cite) } as unknown as Report,
  ended_at: 0,
});
const summary = (readings: ReturnType<typeof readingsOf>) =>
  readings.map(({ run: from, hit, uncited }) => [from, hit.id, hit.snippet, uncited === true]);

it("has what runs cited, then what they only read, each once and as the latest run read it", () => {
  const runs = [run("new", [source("A"), source("B")], ["B"]), run("old", [source("A"), source("C"), source("D")], ["C", "A"])];
  expect(summary(readingsOf(runs))).toEqual([
    ["new", "B", "引文", false],
    ["old", "A", "引文", false],
    ["old", "C", "引文", false],
    ["old", "D", "", true],
  ]);
});

it("leaves out what was not read, what the user uploaded, and data that is soon out of date", () => {
  const others = (["upload", "corpus", "market", "tool"] as const).map((kind) => source(kind, { kind }));
  const unread = [
    source("E", { status: "failed", contentHash: null }),
    source("F", { status: "snippet" }),
    source("G", { status: "found" }),
  ];
  expect(readingsOf([run("r", [...others, ...unread], [])])).toEqual([]);
});

it("has at most 30 documents that were cited and 60 others", () => {
  const sources = Array.from({ length: 100 }, (_, at) => source(`S${at}`));
  const cited = readingsOf([
    run(
      "r",
      sources,
      sources.slice(0, 35).map(({ id }) => id),
    ),
  ]);
  expect([cited.filter(({ uncited }) => uncited !== true).length, cited.filter(({ uncited }) => uncited).length]).toEqual([30, 60]);
});
