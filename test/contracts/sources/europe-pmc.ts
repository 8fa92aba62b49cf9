import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const record = (n: number) => ({
  id: `77${n}`,
  source: "MED",
  pmid: `77${n}`,
  doi: `10.5555/Light.${n}`,
  title: `Lighthouse <i>optics</i> ${n}.`,
  authorString: "Penrose A, Coast Office.",
  authorList: { author: [{ fullName: "Penrose A", firstName: "Ada", lastName: "Penrose" }, { collectiveName: "Coast Office" }] },
  journalInfo: { journal: { title: "Journal of Lamps" } },
  pubYear: "2021",
  abstractText: "<h4>Background</h4>Lamps &amp; lenses, measured.",
  pubTypeList: { pubType: ["Journal Article"] },
  fullTextUrlList: {
    fullTextUrl: [
      { availabilityCode: "S", documentStyle: "doi", site: "DOI", url: "https://doi.org/10.5555/light" },
      { availabilityCode: "OA", documentStyle: "html", site: "Europe_PMC", url: "https://europepmc.org/articles/PMC1" },
      { availabilityCode: "OA", documentStyle: "pdf", site: "Europe_PMC", url: "https://europepmc.org/articles/PMC1?pdf=render" },
    ],
  },
  isOpenAccess: "Y",
  license: "cc by-nc-nd",
  firstPublicationDate: "2021-03-04",
});
const found = (total: number): Answers => json({ version: "6.9", hitCount: total, resultList: { result: numbers(total).map(record) } });

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: {
    kind: "scholar",
    title: "Lighthouse optics 1",
    url: "https://doi.org/10.5555/light.1",
    publishedAt: "2021-03-04",
    snippet: "Background Lamps & lenses, measured.",
    publication: {
      authors: ["Ada Penrose", "Coast Office"],
      doi: "10.5555/light.1",
      arxivId: null,
      pmid: "771",
      venue: "Journal of Lamps",
      licence: "cc-by-nc-nd",
      retracted: false,
      fullTextUrl: "https://europepmc.org/articles/PMC1?pdf=render",
    },
  },
  nothing: found(0),
  oneBroken: json({ hitCount: 3, resultList: { result: [record(1), { id: 7 }, record(3)] } }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("query"),
  odd: {
    "does not take an incomplete answer for an empty one": { answers: json({ version: "6.9" }), failure: "unreadable" },
    "fails when results are counted and none is sent": {
      answers: json({ hitCount: 5, resultList: { result: [] } }),
      failure: "unreadable",
    },
  },
};
