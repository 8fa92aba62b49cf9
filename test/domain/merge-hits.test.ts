import { describe, expect, it } from "vitest";
import { type Hit, mergeHits } from "../../src/domain/hit.ts";

const PUBLICATION = {
  authors: [],
  doi: "10.5555/lamp",
  arxivId: null,
  pmid: null,
  venue: null,
  licence: null,
  retracted: false,
  fullTextUrl: null,
};
const HIT: Hit = {
  id: "S1",
  kind: "scholar",
  title: "Lamps",
  url: "https://doi.org/10.5555/lamp",
  publishedAt: null,
  foundBy: "crossref",
  contentHash: null,
  snippet: "",
  publication: PUBLICATION,
};

describe("hits with the same address", () => {
  it("become one hit with everything that any source knows, so that a retraction is never lost", () => {
    const other: Hit = {
      ...HIT,
      foundBy: "openalex",
      publishedAt: "2021",
      snippet: "An abstract.",
      publication: { ...PUBLICATION, authors: ["Ada Penrose"], retracted: true, fullTextUrl: "https://example.org/lamp.pdf" },
    };
    const merged = {
      ...HIT,
      publishedAt: "2021",
      snippet: "An abstract.",
      publication: { ...PUBLICATION, authors: ["Ada Penrose"], retracted: true, fullTextUrl: "https://example.org/lamp.pdf" },
    };
    expect(mergeHits([HIT], [other])).toEqual([merged]);
    expect(mergeHits([other], [HIT])).toEqual([other]);
    expect(mergeHits(mergeHits([HIT], [other]), [HIT])).toEqual([merged]);
  });

  it("keep the content that one of them brought, and gain no publication if none of them has one", () => {
    const { publication: _, ...page } = HIT;
    const read: Hit = { ...page, foundBy: "tavily", snippet: "A page.", contentHash: "f".repeat(64) };
    expect(mergeHits([HIT], [read])).toEqual([{ ...read, publication: PUBLICATION }]);
    expect(mergeHits([page], [{ ...page, snippet: "later" }])).toEqual([page]);
  });
});
