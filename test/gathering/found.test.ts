import { expect, it } from "vitest";
import { describeSource } from "../../src/gathering/found.ts";

const PAGE = { title: "Lamps\nof https://evil.example/x", kind: "web", publishedAt: "2026-01-05", foundBy: "brave" } as const;

it("names the date, the kind and the finder of a source, and no address", () => {
  expect(describeSource(PAGE)).toBe("Lamps of [address removed] (2026-01-05, web page, brave)");
});

it("names the publisher, and warns of a retraction", () => {
  const publication = {
    authors: [],
    doi: null,
    arxivId: null,
    pmid: null,
    venue: "Nature",
    licence: null,
    retracted: true,
    fullTextUrl: null,
  };
  const work = { ...PAGE, title: "灯塔", kind: "scholar", publishedAt: null, foundBy: "crossref", publication } as const;
  expect(describeSource(work)).toBe("RETRACTED 灯塔 (Nature, scholarly work, crossref)");
});
