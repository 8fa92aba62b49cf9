import { expect, it } from "vitest";
import { describeSource } from "../../src/gathering/found.ts";

const PAGE = { title: "Lamps\nof https://evil.example/x", kind: "web", publishedAt: "2026-01-05", foundBy: "brave" } as const;

const WORK = { authors: [], doi: null, arxivId: null, pmid: null, venue: "Nature", licence: null, fullTextUrl: null };
const RETRACTED = { ...WORK, retracted: true };

it.each([
  [PAGE, "Lamps of [address removed] (2026-01-05, web page, brave)"],
  [
    { ...PAGE, title: "灯塔", kind: "scholar", publishedAt: null, foundBy: "crossref", publication: RETRACTED },
    "RETRACTED 灯塔 (Nature, scholarly work, crossref)",
  ],
] as const)("names date, publisher, kind and finder of a source, warns of a retraction, and has no address", (source, words) => {
  expect(describeSource(source)).toBe(words);
});
