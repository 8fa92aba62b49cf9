import type { SearchSourceContract } from "../search-source.ts";
import { type Answers, API_KEY } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const paper = (n: number) => ({
  paperId: `${n}`.padStart(40, "a"),
  externalIds: { DBLP: "journals/lamps", DOI: `10.5555/LIGHT.${n}`, ArXiv: `2101.0000${n % 10}`, PubMed: `77${n}`, CorpusId: n },
  title: `Lighthouse optics ${n}`,
  abstract: "Lamps & lenses, measured.",
  venue: "Journal of Lamps",
  year: 2021,
  publicationDate: n === 1 ? "2021-03-04" : null,
  openAccessPdf: { url: "", status: null, license: "CCBYNC", disclaimer: "Notice" },
  authors: [
    { authorId: "1", name: "Ada Penrose" },
    { authorId: null, name: "J. Núñez" },
  ],
});
const found = (total: number): Answers => json({ total, offset: 0, data: numbers(total).map(paper) });
const TOO_MANY = '{"message": "Too Many Requests. Please wait and try again.", "code": "429"}';

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: {
    kind: "scholar",
    title: "Lighthouse optics 1",
    url: "https://doi.org/10.5555/light.1",
    publishedAt: "2021-03-04",
    publication: {
      authors: ["Ada Penrose", "J. Núñez"],
      doi: "10.5555/light.1",
      arxivId: "2101.00001",
      pmid: "771",
      venue: "Journal of Lamps",
      licence: "cc-by-nc",
      retracted: false,
      fullTextUrl: "https://arxiv.org/pdf/2101.00001",
    },
  },
  nothing: json({ total: 0, offset: 0 }),
  oneBroken: json({ total: 3, data: [paper(1), { paperId: null }, paper(3)] }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("query"),
  key: { header: "x-api-key", value: API_KEY },
  odd: {
    "says which setting matters when it is asked too often": {
      answers: () => ({ status: 429, text: TOO_MANY }),
      failure: "rate_limited",
      says: /Too Many Requests.*SEMANTIC_SCHOLAR_API_KEY/,
    },
    "says that the key was refused": {
      answers: () => ({ status: 403, text: '{"message":"Forbidden"}' }),
      failure: "blocked",
      says: /Forbidden.*SEMANTIC_SCHOLAR_API_KEY/,
    },
    "does not take an answer without papers for an empty one": { answers: json({ total: 5, offset: 0 }), failure: "unreadable" },
  },
};
