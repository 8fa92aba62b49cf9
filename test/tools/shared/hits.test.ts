import { describe, expect, it } from "vitest";
import { collectPages, doiAddress, type FoundWork, isRetractedType, personName, toHits } from "../../../src/tools/shared/hits.ts";

const WORK: FoundWork = { title: "Lamps", url: "https://example.org/lamps", snippet: "" };
const publication = (fields: Partial<FoundWork>) => toHits({ kind: "scholar", foundBy: "test" }, { ...WORK, ...fields });
const page = (fields: Partial<FoundWork>) => toHits({ kind: "web", foundBy: "brave" }, { ...WORK, ...fields });

it("cuts long texts between characters", () => {
  const [hit] = page({ title: "🗼".repeat(400), snippet: `a${"🗼".repeat(3_000)}` });
  expect(hit).toMatchObject({ title: "🗼".repeat(250), snippet: `a${"🗼".repeat(1_999)}` });
});

it("calls a page without a title by its address, and leaves out a publication without one", () => {
  expect(page({ title: " <b></b> " })).toMatchObject([{ title: "https://example.org/lamps" }]);
  expect(publication({ title: " <b></b> " })).toEqual([]);
});

describe("the pages of a service", () => {
  const never = new AbortController().signal;
  const readTo =
    (last: number, asked: number[] = []) =>
    async (number: number) => {
      asked.push(number);
      return { found: [{ ...WORK, url: `https://example.org/${number}` }], more: number < last };
    };

  it.each([
    ["there are enough hits", { limit: 2, maxPages: 9 }, 9, [0, 1]],
    ["there is no further page", { limit: 9, maxPages: 9 }, 1, [0, 1]],
    ["it has read as many as it may", { limit: 9, maxPages: 3 }, 9, [0, 1, 2]],
  ])("are read until %s", async (_, limits, last, pages) => {
    const asked: number[] = [];
    await collectPages({ ...limits, signal: never }, readTo(last, asked));
    expect(asked).toEqual(pages);
  });

  it("are kept if a later one fails, but not if the signal is aborted", async () => {
    const controller = new AbortController();
    const failing = (abort: boolean) => async (number: number) => {
      if (number === 0) return readTo(9)(number);
      if (abort) controller.abort(new Error("stop"));
      throw new Error("broken");
    };
    const limits = { limit: 9, maxPages: 9, signal: controller.signal };
    expect(await collectPages(limits, failing(false))).toHaveLength(1);
    await expect(collectPages(limits, failing(true))).rejects.toThrow("stop");
  });
});

it.each([
  ["2021-03-04", "2021-03-04"],
  ["2024-03-27T15:31:02", "2024-03-27"],
  ["2024-03-27 15:31:02", "2024-03-27"],
  [" 2021-03 ", "2021-03"],
  ["2021", "2021"],
  ["2021-02-30", "2021-02"],
  ["Mon, 05 May 2025 07:00:00 GMT", "2025-05-05"],
  ["5 May 2025", "2025-05-05"],
  ["September 12, 2019", "2019-09-12"],
  ["2023年3月5日", "2023-03-05"],
  ["0000", null],
  ["2 days ago", null],
  ["3天前", null],
  ["Spring 2021", null],
  [undefined, null],
])("reads the date %j as %j", (publishedAt, expected) => {
  expect(publication({ publishedAt })[0]?.publishedAt).toBe(expected);
});

describe("a publication as a hit", () => {
  it.each(["javascript:alert(1)", "file:///etc/passwd", "corpus:a.md", "/relative", "", `https://example.org/${"a".repeat(9_000)}`])(
    "is cited by its DOI, its arXiv or its PubMed address if its own is %.40j, and left out without any",
    (url) => {
      const addressOf = (known: Partial<FoundWork>) => publication({ url, fullTextUrl: url, ...known }).map((hit) => hit.url);
      const numbers = { doi: "10.5555/a", arxivId: "2101.00001", pmid: "123" };
      expect(addressOf(numbers)).toEqual(["https://doi.org/10.5555/a"]);
      expect(addressOf({ ...numbers, doi: null })).toEqual(["https://arxiv.org/abs/2101.00001"]);
      expect(addressOf({ pmid: "123" })).toEqual(["https://pubmed.ncbi.nlm.nih.gov/123/"]);
      expect(addressOf({})).toEqual([]);
      expect(publication({ url, fullTextUrl: url, doi: "10.5555/a" })[0]?.publication?.fullTextUrl).toBeNull();
    },
  );

  it.each([
    ["https://doi.org/10.5555/ABC.1", "https://doi.org/10.5555/abc.1"],
    ["doi:10.5555/abc.1.", "https://doi.org/10.5555/abc.1"],
    ["10.5555/a<b>?c#d", "https://doi.org/10.5555/a%3Cb%3E%3Fc%23d"],
    ["11.5555/abc", null],
    [undefined, null],
  ])("has for the DOI %j the address %j", (text, expected) => {
    expect(doiAddress(text)).toBe(expected);
  });

  it.each([
    [{ arxivId: "arXiv:2101.00001v3" }, "2101.00001"],
    [{ arxivId: "http://arxiv.org/abs/math.GT/0309136v1" }, "math/0309136"],
    [{ doi: "10.48550/arXiv.2101.00001" }, "2101.00001"],
    [{ arxivId: "not one" }, null],
  ])("has for %j the arXiv id %j, and its file as the full text", (fields, arxivId) => {
    const fullTextUrl = arxivId === null ? null : `https://arxiv.org/pdf/${arxivId}`;
    expect(publication(fields)).toMatchObject([{ publication: { arxivId, fullTextUrl } }]);
  });

  it.each([
    ["cc by", "cc-by"],
    ["CCBYNCND", "cc-by-nc-nd"],
    ["CC BY-NC 4.0", "cc-by-nc-4.0"],
    ["publisher-specific", "publisher-specific"],
    ["https://creativecommons.org/licenses/by/4.0/", "https://creativecommons.org/licenses/by/4.0/"],
    ["", null],
  ])("has for %j the licence %j", (licence, expected) => {
    expect(publication({ licence })[0]?.publication?.licence).toBe(expected);
  });
});

describe("a retraction", () => {
  it.each([
    ["RETRACTED: Lamps", true],
    ["[RETRACTED] Lamps", true],
    ["WITHDRAWN: Lamps", true],
    ["Retraction Note to: Lamps", true],
    ["Retraction notice to “Lamps” [J. Lamps 3 (2020)]", true],
    ["Notice of Retraction: Lamps", true],
    ["Lamps (Retracted article. See vol. 373, pg. 1, 2009)", true],
    ["【撤稿】灯塔的光学", true],
    ["Retracted papers on lamps: a survey", false],
    ["Retraction of the landing gear", false],
    ["A withdrawn child", false],
    ["撤稿论文的引用分析", false],
  ])("is marked in the title %j: %s", (title, retracted) => {
    expect(publication({ title })).toMatchObject([{ publication: { retracted } }]);
  });

  it.each([
    ["Retracted Publication", true],
    ["Retraction in", true],
    ["Published Erratum", false],
  ])("is marked by the type %j: %s", (type, retracted) => {
    expect(isRetractedType(type)).toBe(retracted);
  });
});

it("writes a person's name in the order of its script", () => {
  const names = [personName("小明", "王"), personName("Ada", "Penrose", "Jr."), personName(null, "Plato"), personName(" ", undefined)];
  expect(names).toEqual(["王小明", "Ada Penrose Jr.", "Plato", ""]);
});
