import { describe, expect, it } from "vitest";
import {
  doiUrl,
  type FoundWork,
  isRetractedTitle,
  isRetractedType,
  normalizeDoi,
  personName,
  publicationHits,
} from "../../src/tools/services/hits.ts";
import { allThenAny, englishWords, queryWords } from "../../src/tools/services/query.ts";
import { plainText } from "../../src/tools/services/text.ts";

const publicationHit = (work: FoundWork) => {
  const [hit] = publicationHits(work);
  if (hit === undefined) throw new Error("no hit");
  return hit;
};
const WORK: FoundWork = { kind: "scholar", foundBy: "test", title: "Lamps", url: "https://example.org/lamps", snippet: "" };

describe("a found work as a hit", () => {
  const SCRIPTS = [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "corpus:a.md",
    "/relative",
    "",
    `https://example.org/${"a".repeat(9_000)}`,
  ];

  it.each(SCRIPTS)("is cited by its DOI, its arXiv or its PubMed address where its own is %.40j, and left out without any", (url) => {
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
  ])("is dated %j as %j", (publishedAt, expected) => {
    expect(publicationHit({ ...WORK, publishedAt }).publishedAt).toBe(expected);
  });

  it.each([
    ["https://doi.org/10.5555/ABC.1", "10.5555/abc.1"],
    ["doi:10.5555/abc.1.", "10.5555/abc.1"],
    ["https://doi.org/10.5555%2FABC", "10.5555/abc"],
    ["10.1016/0005-2795(76)90109-4", "10.1016/0005-2795(76)90109-4"],
    ["11.5555/abc", null],
    [undefined, null],
  ])("has of %j the DOI %j", (text, expected) => {
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
  ])("has of %j the arXiv id %j, and its file as the full text", (fields, expected) => {
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
  ])("has of %j the licence %j", (licence, expected) => {
    expect(publicationHit({ ...WORK, licence }).publication?.licence).toBe(expected);
  });

  it("takes only addresses of the web for a full text", () => {
    expect(publicationHit({ ...WORK, fullTextUrl: "ftp://example.org/x" }).publication?.fullTextUrl).toBeNull();
    expect(publicationHit({ ...WORK, fullTextUrl: "" }).publication?.fullTextUrl).toBeNull();
  });

  it("stays well-formed where a long text is cut inside a character", () => {
    const hit = publicationHit({ ...WORK, title: `${"a".repeat(499)}𝛼`, snippet: `${"b".repeat(3_999)}𝛼` });
    expect(hit.title.isWellFormed() && hit.snippet.isWellFormed()).toBe(true);
  });
});

describe("a title or type of a retraction", () => {
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
  ])("is %j", (title) => {
    expect(isRetractedTitle(title)).toBe(true);
  });

  it.each([
    "Retracted papers on lamps: a survey",
    "Retraction of the landing gear",
    "Lamps withdrawn from service",
    "A withdrawn child",
    "撤稿论文的引用分析",
  ])("is not %j", (title) => {
    expect(isRetractedTitle(title)).toBe(false);
  });

  it("is a type of the indexes", () => {
    expect(["Retracted Publication", "retraction of publication", "Retraction in", "retracted-article"].map(isRetractedType)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["Journal Article", "Published Erratum", "Erratum in"].map(isRetractedType)).toEqual([false, false, false]);
  });
});

describe("the text of a field", () => {
  it.each([
    ["H<sub>2</sub>O &amp; oil", "H2O & oil"],
    ["<p>One</p><p>two</p>", "One two"],
    ['<a href="https://example.org/?a>b">x</a> y', "x y"],
    ["if a<b and c>d", "if a<b and c>d"],
    ["p&lt;0.05 and q>3", "p<0.05 and q>3"],
    ["5&#xb0;C &ndash; 7&#176;C &unknown;", "5°C – 7°C &unknown;"],
    ["<mml:math xmlns:mml='x'><mml:mi>x</mml:mi></mml:math>", "x"],
    ["\0a\u00a0 b\ud800", "a b\ufffd"],
  ])("of %j is %j", (given, expected) => {
    expect(plainText(given)).toBe(expected);
  });

  it("takes no longer than its length for text that never closes a tag", () => {
    const startedAt = performance.now();
    plainText("<a b=".repeat(200_000));
    plainText(`<a ${"b=c ".repeat(200_000)}`);
    plainText('<a b="'.repeat(200_000));
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});

describe("a name", () => {
  it("is written as its script is", () => {
    expect(personName("小明", "王")).toBe("王小明");
    expect(personName("Ada", "Penrose", "Jr.")).toBe("Ada Penrose Jr.");
    expect(personName(null, "Plato")).toBe("Plato");
    expect(personName(" ", undefined)).toBe("");
  });
});

describe("the words of a question", () => {
  it("for an English index are the Latin ones, or all where there are none", () => {
    expect(englishWords("BERT 与 GPT-4 的区别是什么？")).toEqual(["BERT", "GPT-4"]);
    expect(englishWords("2024年的鲸油灯塔")).not.toContain("2024");
    expect(englishWords("鲸油灯塔的历史").join(" ")).toMatch(/鲸油.*历史/);
    expect(englishWords("2024?")).toEqual(["2024"]);
    expect(englishWords(Array.from({ length: 40 }, (_, i) => `lamp${i}`).join(" "))).toHaveLength(16);
  });

  it("stay within what an address can hold", () => {
    expect(queryWords("灯".repeat(5_000)).join("")).toHaveLength(300);
    expect(queryWords(Array.from({ length: 9 }, (_, i) => `${i}${"x".repeat(99)}`).join(" "))).toHaveLength(3);
  });

  it("are not looked for where there are none", () => {
    expect(() => queryWords("？？")).toThrow("the question has no word in it");
    expect(() => englishWords(" ")).toThrow("the question has no word in it");
  });

  it("are looked for together first, and one word only once", async () => {
    const asked: string[] = [];
    const look = async (operator: string): Promise<string[]> => {
      asked.push(operator);
      return [];
    };
    await allThenAny(["a", "b"], look);
    await allThenAny(["a"], look);
    expect(asked).toEqual(["AND", "OR", "AND"]);
  });
});
