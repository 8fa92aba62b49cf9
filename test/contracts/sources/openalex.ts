import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const work = (n: number) => ({
  id: `https://openalex.org/W${n}`,
  doi: `https://doi.org/10.5555/light.${n}`,
  ids: { openalex: `https://openalex.org/W${n}`, pmid: `https://pubmed.ncbi.nlm.nih.gov/77${n}` },
  title: `Lighthouse <i>optics</i> ${n}`,
  publication_date: "2021-03-04",
  publication_year: 2021,
  primary_location: { landing_page_url: "https://doi.org/x", source: { display_name: "Journal of Lamps" }, license: null },
  best_oa_location: { pdf_url: "https://example.org/light.pdf", license: "cc-by" },
  open_access: { is_oa: true, oa_url: "https://example.org/light" },
  authorships: [{ raw_author_name: "Ada Penrose", author: { display_name: "A. Penrose" } }, { author: { display_name: "José Núñez" } }],
  is_retracted: n === 1,
  abstract_inverted_index: { Lamps: [0], "&": [1], "lenses,": [2], "measured.": [3] },
});
const found = (total: number): Answers =>
  json({ meta: { count: total, page: 1, per_page: 20 }, results: numbers(total).map(work), group_by: [] });
const SPENT = JSON.stringify({
  error: "Rate limit exceeded",
  message: "Insufficient budget. This request costs $0.001 but you only have $0 remaining. Resets at midnight UTC.",
});

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: {
    kind: "scholar",
    title: "Lighthouse optics 1",
    url: "https://doi.org/10.5555/light.1",
    publishedAt: "2021-03-04",
    snippet: "Lamps & lenses, measured.",
    publication: {
      authors: ["Ada Penrose", "José Núñez"],
      doi: "10.5555/light.1",
      arxivId: null,
      pmid: "771",
      venue: "Journal of Lamps",
      licence: "cc-by",
      retracted: true,
      fullTextUrl: "https://example.org/light.pdf",
    },
  },
  nothing: found(0),
  oneBroken: json({ results: [work(1), { id: 7, title: ["no list"] }, work(3)] }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("search"),
  key: { field: "api_key" },
  statuses: { 403: "rate_limited" },
  odd: {
    "says which setting helps when the budget of the day is spent": {
      answers: () => ({ status: 429, headers: { "retry-after": "47052" }, text: SPENT }),
      failure: "rate_limited",
      says: /Insufficient budget.*OPENALEX_API_KEY/,
    },
    "reads a page of status 404 as not found": {
      answers: () => ({
        status: 404,
        headers: { "content-type": "text/html" },
        text: "<!doctype html>\n<title>404 Not Found</title>\n<h1>Not Found</h1>",
      }),
      failure: "not_found",
    },
  },
};
