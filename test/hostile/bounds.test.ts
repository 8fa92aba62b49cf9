import { expect, it } from "vitest";
import { assemble } from "../../src/documents/block-text.ts";
import { boundHit, boundHits } from "../../src/domain/hit.ts";
import { createQuoteLocator } from "../../src/evidence/quote-location.ts";
import { deltaPieces } from "../../src/models/delta-pieces.ts";
import { openStore } from "../storage/open-store.ts";

const HIT = { id: "S1", kind: "web", foundBy: "test", contentHash: null } as const;

it("the fields of a hit are cut, and short ones stay as they are", () => {
  const long = boundHit({
    ...HIT,
    title: "水".repeat(9_000),
    url: "https://example.org/",
    publishedAt: "1".repeat(200),
    snippet: "b".repeat(19_000),
  });
  expect([long.title.length, long.publishedAt?.length, long.snippet.length]).toEqual([1_000, 100, 10_000]);
  const short = { ...HIT, title: "A title", url: "https://example.org/", publishedAt: null, snippet: "Words." };
  expect(boundHit(short)).toEqual(short);
});

it("a hit keeps its whole address, or is dropped", () => {
  const hits = [10_000, 30_000].map((length) => ({
    ...HIT,
    title: "A title",
    url: `https://example.org/${"a".repeat(length)}`,
    publishedAt: null,
    snippet: "Words.",
  }));
  expect(boundHits(hits)).toEqual(hits.slice(0, 1));
});

it("a text of 20,000 lines has 10,001 blocks, the last of which holds the rest", () => {
  const line = { kind: "list-item", level: 1, text: "水 a" } as const;
  const { text, blocks } = assemble(Array.from({ length: 20_000 }, () => line));
  expect(blocks).toHaveLength(10_001);
  expect(blocks.at(-1)).toEqual({ kind: "paragraph", start: 40_000, end: text.length, level: 0 });
  expect(text.split("\n")).toHaveLength(20_000);
});

it("an answer in one piece is cut into pieces that split no character", () => {
  const content = `a${"👍".repeat(5_000)}`;
  const calls = [{ id: "1", name: "find", arguments: "{}" }];
  const pieces = [...deltaPieces({ content, reasoning: "水".repeat(3_000), toolCalls: calls })];
  expect(pieces.map((piece) => piece.content).join("")).toBe(content);
  expect(pieces.every((piece) => piece.content.length <= 4_000 && piece.content.isWellFormed())).toBe(true);
  expect(pieces.map(({ reasoning }) => reasoning.length).filter(Boolean)).toEqual([2_000, 1_000]);
  expect(pieces.at(-1)?.toolCalls).toEqual(calls);
});

it("a quote is found near the passage that the model saw, and not at the other end of a long text", () => {
  const text = `The lamp was lit in 1874. ${"a ".repeat(100_000)}`;
  const evidence = { id: "P1", sourceId: "S1", contentHash: "hash", text };
  const locateInTurns = createQuoteLocator();
  const locate = (...asked: Parameters<typeof locateInTurns>) => locateInTurns(...asked);
  expect(locate("The lamp was “lit” in 1874", { ...evidence, start: 30_000, end: 31_000 })).toEqual([]);
  expect(locate("The lamp was lit in 1874", { ...evidence, start: 30_000, end: 31_000 })).toEqual([{ start: 0, end: 24 }]);
  expect(locate("The lamp was lit in 1874", { ...evidence, start: 150_000, end: 151_000 })).toEqual([]);
});

it("long texts are given back as SQLite keeps them", async () => {
  const { documents } = await openStore();
  const page = { title: "A", url: "https://example.org/", language: null, publishedAt: null, author: null, blocks: [] };
  const texts = ["1", "2", "3"].map((first) => first + "水\ud83d ".repeat(50_000));
  const all = await Promise.all(texts.map((text) => documents.put("run", { ...page, text })));
  expect(all.map(({ text }) => text)).toEqual(texts.map((text) => text.toWellFormed()));
  // The same object: the text was not read again.
  for (const stored of all) expect(await documents.get("run", stored.contentHash)).toBe(stored);
});
