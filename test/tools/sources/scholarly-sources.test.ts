import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Hit } from "../../../src/domain/hit.ts";
import type { SourceEntry } from "../../../src/tools/shared/entry.ts";
import { ARXIV } from "../../../src/tools/sources/arxiv.ts";
import { CROSSREF, WORK_FIELDS as CROSSREF_FIELDS } from "../../../src/tools/sources/crossref.ts";
import { EUROPE_PMC } from "../../../src/tools/sources/europe-pmc.ts";
import { OPENALEX } from "../../../src/tools/sources/openalex.ts";
import { PUBMED } from "../../../src/tools/sources/pubmed.ts";
import { SEMANTIC_SCHOLAR } from "../../../src/tools/sources/semantic-scholar.ts";
import { type Answers, serviceUnderTest } from "../../contracts/service-under-test.ts";

const fixture = (path: string): Promise<string> => readFile(new URL(`../../fixtures/services/${path}`, import.meta.url), "utf8");

/** Returns the hits of one search, and the values of one parameter of its requests. */
async function ask(
  source: SourceEntry,
  answers: Answers,
  text: string,
  parameter = "",
): Promise<{ hits: readonly Hit[]; asked: (string | null)[] }> {
  const service = await serviceUnderTest(source, "text/plain", answers);
  const context = { signal: new AbortController().signal, scope: [source.endpoint.id] };
  const { hits } = await service.source.search({ text, language: "en", limit: 20 }, context);
  return { hits, asked: service.requests.map(({ url }) => url.searchParams.get(parameter)) };
}

const read = async (source: SourceEntry, path: string): Promise<readonly Hit[]> => {
  const body = await fixture(path);
  return (await ask(source, () => body, "lamps")).hits;
};

describe("arXiv", () => {
  const EMPTY = "<feed><totalResults>0</totalResults></feed>";

  it("reads the feed of before 2026: wrapped titles, plain http, old ids, the journal's DOI", async () => {
    const [old] = await read(ARXIV, "arxiv/old-feed.xml");
    expect(old).toMatchObject({
      title: "A lamp at the edge of the galaxy",
      url: "https://arxiv.org/abs/astro-ph/0601001",
      publishedAt: "2006-01-01",
      snippet: "We report a lamp & its light at $z < 3$. It is bright.",
      publication: {
        authors: ["Ada Penrose"],
        doi: "10.1086/lamp.500",
        arxivId: "astro-ph/0601001",
        venue: "Astrophys. J. 641 (2006) 1-9",
        fullTextUrl: "https://arxiv.org/pdf/astro-ph/0601001v2",
      },
    });
  });

  it("marks a paper that its authors withdrew, and no paper about withdrawn papers", async () => {
    const hits = await read(ARXIV, "arxiv/old-feed.xml");
    expect(hits.map(({ publication }) => publication?.retracted)).toEqual([false, true, false]);
  });

  it("searches all words and, without a result, any of them, quoting what could be an operator", async () => {
    const { asked } = await ask(ARXIV, () => EMPTY, "Does self-attention scale in C++?", "search_query");
    expect(asked).toEqual(['all:"self attention" AND all:scale AND all:"C++"', 'all:"self attention" OR all:scale OR all:"C++"']);
  });

  it("searches the Latin words of a Chinese question, or the question itself if there are none", async () => {
    const mixed = await ask(ARXIV, () => EMPTY, "2024年 Transformer 的复杂度是多少？", "search_query");
    expect(mixed.asked[0]).toBe("all:2024 AND all:Transformer");
    const chinese = await ask(ARXIV, () => EMPTY, "鲸油灯塔", "search_query");
    expect(chinese).toEqual({ hits: [], asked: ["all:鲸油灯塔"] });
  });

  it("does not expand the entities that a document defines", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${"lamp ".repeat(50)}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<feed><entry><id>http://arxiv.org/abs/2101.00001v1</id><title>&b;&b;&b;</title></entry></feed>`;
    const { hits } = await ask(ARXIV, () => bomb, "lamps");
    expect(hits[0]?.title).toBe("&b;&b;&b;");
  });
});

describe("Crossref", () => {
  it("reads names of groups and in Chinese, partial dates, JATS, and the licence of the text", async () => {
    const [first, second] = await read(CROSSREF, "crossref/odd-works.json");
    expect(first).toMatchObject({
      title: "Oil and water: in vitro lamps",
      url: "https://doi.org/10.5555/lamp.1",
      publishedAt: "2021",
      snippet: "Background: Oil & H2O do not mix.",
      publication: {
        authors: ["王小明", "Ada Penrose Jr.", "Coast Office"],
        venue: "Journal of Lamps & Lenses",
        licence: "http://creativecommons.org/licenses/by/4.0/",
        retracted: false,
        fullTextUrl: "https://journal.example.org/lamp/1/pdf",
      },
    });
    expect(second).toMatchObject({ publishedAt: "2019-07", publication: { licence: null, fullTextUrl: null } });
  });

  it("marks what was retracted, its notice, and titles that say so, but no study of retractions", async () => {
    const hits = await read(CROSSREF, "crossref/odd-works.json");
    expect(hits.map(({ title, publication }) => [title, publication?.retracted])).toEqual([
      ["Oil and water: in vitro lamps", false],
      ["A lamp that never was", true],
      ["A lamp that never was", true],
      ["RETRACTED ARTICLE: Lamps of ice", true],
      ["Retracted papers on lamps: a survey", false],
      ["An old lamp", false],
    ]);
    expect(hits[3]?.publishedAt).toBe("2018");
    expect(hits[4]?.publication?.venue).toBe("Aldermoor Preprints");
  });

  it("links DOIs with characters that URLs do not allow", async () => {
    const hits = await read(CROSSREF, "crossref/odd-works.json");
    expect(hits[5]?.url).toBe("https://doi.org/10.1002/(sici)1097-0258(19980815/30)17:15/16%3C1661::aid-lamp5%3E3.0.co;2-2");
  });

  it("selects no field that the service refuses", () => {
    // The list in its error for an unknown field, October 2026.
    const known = `abstract URL resource member posted score created degree update-policy short-title license ISSN container-title issued
      update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title DOI is-referenced-by-count
      updated-by event chair standards-body original-title funder translator published archive published-print alternative-id subject
      subtitle published-online publisher-location content-domain reference title link type publisher volume references-count ISBN
      issn-type assertion deposited page contributor content-created short-container-title relation editor`.split(/\s+/);
    expect(CROSSREF_FIELDS.filter((field) => !known.includes(field))).toEqual([]);
  });
});

describe("OpenAlex", () => {
  it("reads works without DOI, in Chinese, and abstracts from their inverted index", async () => {
    const hits = await read(OPENALEX, "openalex/odd-works.json");
    expect(hits).toHaveLength(2);
    expect(hits[0]).toMatchObject({
      title: "鲸油灯塔的光学",
      url: "https://journal.example.org/lamps/1",
      publishedAt: "1998",
      snippet: "",
      publication: { authors: ["王小明"], venue: "灯塔学报", fullTextUrl: null },
    });
    expect(hits[1]).toMatchObject({
      title: "Lamps & lenses",
      snippet: "Between the lamp and the lens",
      publication: { arxivId: "2101.00001", retracted: true, licence: "other-oa", fullTextUrl: "https://arxiv.org/pdf/2101.00001" },
    });
  });

  it("returns a work once that the index has twice", async () => {
    const { results } = JSON.parse(await fixture("openalex/odd-works.json"));
    const { hits } = await ask(
      OPENALEX,
      () => JSON.stringify({ results: [...results, { ...results[1], id: "https://openalex.org/W9" }] }),
      "lamps",
    );
    expect(hits).toHaveLength(2);
  });

  it("searches in the question's own language, all words and then any, without characters that it reads as operators", async () => {
    const none = JSON.stringify({ meta: { count: 0 }, results: [] });
    const { asked } = await ask(OPENALEX, () => none, "C++ 与 鲸油灯塔 OR lamp*?", "search");
    expect(asked).toEqual(["C 鲸油灯塔 lamp", "C OR 鲸油灯塔 OR lamp"]);
  });
});

describe("Semantic Scholar", () => {
  it("reads papers without DOI, date or open copy", async () => {
    const hits = await read(SEMANTIC_SCHOLAR, "semantic_scholar/odd-papers.json");
    expect(hits.map(({ url, publishedAt }) => [url, publishedAt])).toEqual([
      ["https://www.semanticscholar.org/paper/a1", "1874"],
      ["https://arxiv.org/abs/hep-th/9901001", "1999"],
    ]);
    expect(hits[0]?.publication).toMatchObject({ venue: null, fullTextUrl: "https://example.org/whales.pdf", retracted: false });
    expect(hits[1]?.publication).toMatchObject({ retracted: true, fullTextUrl: "https://arxiv.org/pdf/hep-th/9901001" });
  });

  it("searches without hyphens, with which it finds nothing", async () => {
    const { asked } = await ask(SEMANTIC_SCHOLAR, () => '{"total":0,"offset":0}', "Does self-attention help GPT-4?", "query");
    expect(asked).toEqual(["self attention help GPT 4"]);
  });
});

describe("PubMed", () => {
  const articles = async (): Promise<readonly Hit[]> => {
    const body = await fixture("pubmed/odd-articles.xml");
    const ids = JSON.stringify({ esearchresult: { count: "4", idlist: ["10", "13", "12", "11"] } });
    return (await ask(PUBMED, ({ url }) => (url.pathname.endsWith("esearch.fcgi") ? ids : body), "lamps")).hits;
  };

  it("returns the records in the order in which they were found, including chapters of books", async () => {
    const hits = await articles();
    expect(hits.map(({ title }) => title)).toEqual(["Oil", "Lamps of oil & their H2O", "Die Lampe", "An apology for lamps"]);
    expect(hits[0]).toMatchObject({
      publishedAt: "2004-02-03",
      snippet: "About oil.",
      publication: { authors: ["Bo Tolmere"], venue: "LampReviews", pmid: "10" },
    });
  });

  it("reads ranges and seasons as dates, and prefers the day of the first publication", async () => {
    expect((await articles()).map(({ publishedAt }) => publishedAt)).toEqual(["2004-02-03", "1998-12", "2020-11-03", "2000"]);
  });

  it("reads names with suffixes, of groups and in Chinese, and leaves out misspelt ones", async () => {
    const [, oil, german] = await articles();
    expect(oil?.publication?.authors).toEqual(["Ada Penrose 3rd", "J Núñez", "Coast & Harbour Office"]);
    expect(german?.publication?.authors).toEqual(["王小明"]);
    expect(oil?.publication?.doi).toBe("10.1002/(sici)1097-0258(19981215)17:23<2693::aid-lamp1>3.0.co;2-6");
  });

  it("keeps the headings of a structured abstract", async () => {
    const [, , german] = await articles();
    expect(german?.snippet).toBe("OBJECTIVE: To see the lamp. RESULTS: p<0.05 & bright. Unlabelled.");
  });

  it("marks what was retracted, by its type or by the note that names the place", async () => {
    expect((await articles()).map(({ publication }) => publication?.retracted)).toEqual([false, true, true, false]);
  });

  it("sends its name and a contact address", async () => {
    const none = JSON.stringify({ esearchresult: { count: "0", idlist: [] } });
    expect((await ask(PUBMED, () => none, "lamp", "tool")).asked).toEqual(["dossier"]);
    expect((await ask(PUBMED, () => none, "lamp", "email")).asked).toEqual(["operator@example.org"]);
  });
});

describe("Europe PMC", () => {
  it("reads preprints, markup in titles, authors without parts, and the free copy", async () => {
    const [preprint, retracted] = await read(EUROPE_PMC, "europe_pmc/odd-records.json");
    expect(preprint).toMatchObject({
      title: "Lampyris glows in CO2",
      url: "https://doi.org/10.1101/2021.01.01.425001",
      publishedAt: "2021",
      publication: { authors: ["Penrose A", "Tolmere B"], venue: "bioRxiv", fullTextUrl: "https://www.biorxiv.org/content/1" },
    });
    expect(retracted).toMatchObject({
      url: "https://europepmc.org/article/MED/2",
      publishedAt: "2020-02",
      publication: { authors: ["Penrose A", "Glow Consortium"], fullTextUrl: null },
    });
  });

  it("marks what was retracted, by its type or by the note that names the place", async () => {
    const hits = await read(EUROPE_PMC, "europe_pmc/odd-records.json");
    expect(hits.map(({ title, publication }) => [title, publication?.retracted])).toEqual([
      ["Lampyris glows in CO2", false],
      ["Glow without a worm", true],
      ["Glow of another kind...", true],
    ]);
  });

  it("quotes what could be an operator or a field", async () => {
    const none = JSON.stringify({ hitCount: 0, resultList: { result: [] } });
    const { asked } = await ask(EUROPE_PMC, () => none, "Does COVID-19 change IL-6/STAT3?", "query");
    expect(asked[0]).toBe('"COVID-19" AND change AND "IL-6/STAT3"');
  });
});
