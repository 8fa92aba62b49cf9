import { describe, expect, it } from "vitest";
import type { Hit } from "../../../src/domain/hit.ts";
import {
  calendarDate,
  collectPages,
  doiUrl,
  type FoundWork,
  isRetractedTitle,
  isRetractedType,
  normalizeDoi,
  personName,
  publicationHits,
  webHit,
} from "../../../src/tools/shared/hits.ts";

const hit = (n: number): Hit => webHit({ foundBy: "brave", title: `${n}`, url: `https://example.org/${n}`, snippet: "" });
const never = new AbortController().signal;
const publicationHit = (work: FoundWork) => {
  const [hit] = publicationHits(work);
  if (hit === undefined) throw new Error("no hit");
  return hit;
};
const WORK: FoundWork = { kind: "scholar", foundBy: "test", title: "Lamps", url: "https://example.org/lamps", snippet: "" };

describe("webHit", () => {
  it("cuts long texts between characters", () => {
    const { title, snippet } = webHit({
      foundBy: "brave",
      title: "🗼".repeat(400),
      url: "https://example.org",
      snippet: `a${"🗼".repeat(3_000)}`,
    });
    expect(title).toBe("🗼".repeat(250));
    expect(snippet).toBe(`a${"🗼".repeat(1_999)}`);
  });

  it("has its address as its title if the title is empty", () => {
    expect(webHit({ foundBy: "brave", title: " <b></b> ", url: "https://example.org/a", snippet: "" }).title).toBe("https://example.org/a");
  });
});

describe("collectPages", () => {
  it("reads pages until there are enough hits, each hit once", async () => {
    const asked: number[] = [];
    const hits = await collectPages(5, 9, never, async (page) => {
      asked.push(page);
      return { hits: [hit(page), hit(page + 1), hit(page + 2)], more: true };
    });
    expect(hits.map(({ title }) => title)).toEqual(["0", "1", "2", "3", "4"]);
    expect(asked).toEqual([0, 1, 2]);
  });

  it.each([
    ["a page brings nothing new", 1, true],
    ["there is no further page", 0, false],
    ["it has read as many as it may", 8, true],
  ])("stops when %s", async (_, last, more) => {
    const asked: number[] = [];
    await collectPages(100, 9, never, async (page) => {
      asked.push(page);
      return { hits: [hit(Math.min(page, last - 1))], more };
    });
    expect(asked.at(-1)).toBe(last);
  });

  it("keeps its hits if a later page fails, but not if its signal is aborted", async () => {
    const controller = new AbortController();
    const failing = (abort: boolean) => async (page: number) => {
      if (page === 0) return { hits: [hit(1)], more: true };
      if (abort) controller.abort(new Error("stop"));
      throw new Error("broken");
    };
    expect(await collectPages(9, 9, never, failing(false))).toHaveLength(1);
    await expect(collectPages(9, 9, controller.signal, failing(true))).rejects.toThrow("stop");
  });
});

describe("calendarDate", () => {
  it.each([
    ["2024-03-27T15:31:02", "2024-03-27"],
    ["2024-03-27 15:31:02", "2024-03-27"],
    ["2024-03-27", "2024-03-27"],
    ["Mon, 05 May 2025 07:00:00 GMT", "2025-05-05"],
    ["5 May 2025", "2025-05-05"],
    ["Mar 5, 2023", "2023-03-05"],
    ["September 12, 2019", "2019-09-12"],
    ["2023年3月5日", "2023-03-05"],
  ])("reads %s", (text, date) => {
    expect(calendarDate(text)).toBe(date);
  });

  it.each(["2 days ago", "3天前", "yesterday", "2024-13-01", "2024-3-1", "Foo 5, 2023", "2023年30月5日", "", null, undefined])(
    "reads %s as no date",
    (text) => {
      expect(calendarDate(text)).toBeNull();
    },
  );
});

describe("a publication as a hit", () => {
  const SCRIPTS = [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "corpus:a.md",
    "/relative",
    "",
    `https://example.org/${"a".repeat(9_000)}`,
  ];

  it.each(SCRIPTS)("is cited by its DOI, its arXiv or its PubMed address if its own is %.40j, and left out without any", (url) => {
    const numbers = { doi: "10.5555/a", arxivId: "2101.00001", pmid: "123" };
    const addressOf = (known: Partial<FoundWork>) => publicationHits({ ...WORK, url, fullTextUrl: url, ...known }).map((hit) => hit.url);
    expect(addressOf(numbers)).toEqual(["https://doi.org/10.5555/a"]);
    expect(addressOf({ ...numbers, doi: null })).toEqual(["https://arxiv.org/abs/2101.00001"]);
    expect(addressOf({ pmid: "123" })).toEqual(["https://pubmed.ncbi.nlm.nih.gov/123/"]);
    expect(addressOf({})).toEqual([]);
    expect(publicationHit({ ...WORK, url, fullTextUrl: url, doi: "10.5555/a" }).publication?.fullTextUrl).toBeNull();
  });

  it.each([
    ["2021-03-04", "2021-03-04"],
    ["2021-03-04T12:00:00Z", "2021-03-04"],
    [" 2021-03 ", "2021-03"],
    ["2021", "2021"],
    ["2021-02-30", "2021-02"],
    ["2021-13-01", "2021"],
    ["0000", null],
    ["Spring 2021", null],
    ["", null],
    [null, null],
  ])("has for %j the date %j", (publishedAt, expected) => {
    expect(publicationHit({ ...WORK, publishedAt }).publishedAt).toBe(expected);
  });

  it.each([
    ["https://doi.org/10.5555/ABC.1", "10.5555/abc.1"],
    ["doi:10.5555/abc.1.", "10.5555/abc.1"],
    ["https://doi.org/10.5555%2FABC", "10.5555/abc"],
    ["10.1016/0005-2795(76)90109-4", "10.1016/0005-2795(76)90109-4"],
    ["11.5555/abc", null],
    [undefined, null],
  ])("has for %j the DOI %j", (text, expected) => {
    expect(normalizeDoi(text)).toBe(expected);
  });

  it("links a DOI so that the link leads back to it", () => {
    const doi = "10.5555/a<b>?c#d 100%";
    expect(decodeURIComponent(new URL(doiUrl(doi)).pathname)).toBe(`/${doi}`);
  });

  it.each([
    [{ arxivId: "arXiv:2101.00001v3" }, "2101.00001"],
    [{ arxivId: "http://arxiv.org/abs/math.GT/0309136v1" }, "math/0309136"],
    [{ doi: "10.48550/arXiv.2101.00001" }, "2101.00001"],
    [{ arxivId: "not one" }, null],
  ])("has for %j the arXiv id %j, and its file as the full text", (fields, expected) => {
    const { publication } = publicationHit({ ...WORK, ...fields });
    expect(publication?.arxivId).toBe(expected);
    expect(publication?.fullTextUrl).toBe(expected === null ? null : `https://arxiv.org/pdf/${expected}`);
  });

  it.each([
    ["cc by", "cc-by"],
    ["CCBYNCND", "cc-by-nc-nd"],
    ["CC BY-NC 4.0", "cc-by-nc-4.0"],
    ["cc0", "cc0"],
    ["publisher-specific", "publisher-specific"],
    ["https://creativecommons.org/licenses/by/4.0/", "https://creativecommons.org/licenses/by/4.0/"],
    ["", null],
  ])("has for %j the licence %j", (licence, expected) => {
    expect(publicationHit({ ...WORK, licence }).publication?.licence).toBe(expected);
  });

  it("accepts only web addresses as a full text", () => {
    expect(publicationHit({ ...WORK, fullTextUrl: "ftp://example.org/x" }).publication?.fullTextUrl).toBeNull();
    expect(publicationHit({ ...WORK, fullTextUrl: "" }).publication?.fullTextUrl).toBeNull();
  });

  it("stays well-formed if a long text is cut inside a character", () => {
    const hit = publicationHit({ ...WORK, title: `${"a".repeat(499)}𝛼`, snippet: `${"b".repeat(3_999)}𝛼` });
    expect(hit.title.isWellFormed() && hit.snippet.isWellFormed()).toBe(true);
  });
});

describe("a title or type that marks a retraction", () => {
  it.each([
    "RETRACTED: Lamps",
    "Retracted article: Lamps",
    "[RETRACTED] Lamps",
    "WITHDRAWN: Lamps",
    "Retraction Note to: Lamps",
    "Retraction Note: Lamps",
    "Retraction notice to “Lamps” [J. Lamps 3 (2020)]",
    "Notice of Retraction: Lamps",
    "Retraction: Lamps",
    "Lamps (Retracted article. See vol. 373, pg. 1, 2009)",
    "Lamps [Retracted]",
    "撤稿：灯塔的光学",
    "【撤稿】灯塔的光学",
  ])("recognizes %j", (title) => {
    expect(isRetractedTitle(title)).toBe(true);
  });

  it.each([
    "Retracted papers on lamps: a survey",
    "Retraction of the landing gear",
    "Lamps withdrawn from service",
    "A withdrawn child",
    "撤稿论文的引用分析",
  ])("does not recognize %j", (title) => {
    expect(isRetractedTitle(title)).toBe(false);
  });

  it("recognizes the types of the indexes", () => {
    expect(["Retracted Publication", "retraction of publication", "Retraction in", "retracted-article"].map(isRetractedType)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["Journal Article", "Published Erratum", "Erratum in"].map(isRetractedType)).toEqual([false, false, false]);
  });
});

describe("a person's name", () => {
  it("has the order of its script", () => {
    expect(personName("小明", "王")).toBe("王小明");
    expect(personName("Ada", "Penrose", "Jr.")).toBe("Ada Penrose Jr.");
    expect(personName(null, "Plato")).toBe("Plato");
    expect(personName(" ", undefined)).toBe("");
  });
});
