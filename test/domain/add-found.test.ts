import { expect, it } from "vitest";
import { addHits, type Hit, mergeHits } from "../../src/domain/hit.ts";
import { mergeWorks } from "../../src/ranking/merge-works.ts";
import { foundPage } from "../helpers/page-source.ts";

const PAGE = "https://example.org/lamp";
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

it("keeps an address once for each source that found it, and shows it once", () => {
  const [first, second] = [foundPage("first", PAGE), foundPage("second", PAGE)];
  const all = addHits(addHits([], [first]), [second, first]);
  expect(all).toEqual([first, second]);
  expect(mergeHits([], all)).toEqual([first]);
  expect([...(mergeWorks(all)[0]?.placeBySource.keys() ?? [])]).toEqual(["first", "second"]);
});

it("takes the content that a later hit brings", () => {
  const read = { ...foundPage("first", PAGE), contentHash: "f".repeat(64) };
  expect(addHits([foundPage("first", PAGE)], [read])).toEqual([read]);
});

it("never loses a retraction notice, whichever address of the work carries it", () => {
  const about = { title: "How the lamp of Aldermoor is lit", snippet: "" };
  const hits: Hit[] = [
    { ...foundPage("first", "https://doi.org/10.5555/lamp"), ...about, publication: PUBLICATION },
    { ...foundPage("second", "https://dx.doi.org/10.5555/lamp"), ...about, publication: { ...PUBLICATION, retracted: true } },
  ];
  const works = mergeWorks(hits);
  expect(works.length).toBe(1);
  expect(works[0]?.hit.publication?.retracted).toBe(true);
});
