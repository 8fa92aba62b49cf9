import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, numbers } from "./json-answers.ts";

const entry = (n: number): string => `<entry>
    <id>http://arxiv.org/abs/2101.${String(n).padStart(5, "0")}v2</id>
    <title>Lighthouse optics,
  part ${n}: $a &lt; b$</title>
    <published>2021-03-04T17:59:46Z</published>
    <updated>2021-04-01T00:00:00Z</updated>
    <link href="http://arxiv.org/pdf/2101.${String(n).padStart(5, "0")}v2" rel="related" type="application/pdf" title="pdf"/>
    <summary>  Lamps &amp; lenses,
measured.</summary>
    <author><name>Ada Penrose</name></author>
    <author><name>José Núñez</name><arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Coast Office</arxiv:affiliation></author>
  </entry>`;
const feed = (entries: readonly string[]): Answers => {
  const text = `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom">
  <title>arXiv Query: search_query=all:lighthouse</title>
  <opensearch:totalResults>${entries.length}</opensearch:totalResults>
  ${entries.join("\n  ")}
</feed>`;
  return () => text;
};
const found = (total: number): Answers => feed(numbers(total).map(entry));
const errorFeed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://arxiv.org/api/errors#sortBy</id><title>Error</title>
  <summary>sortBy must be in: relevance, lastUpdatedDate</summary><author><name>arXiv api core</name></author></entry></feed>`;

export const CONTRACT: SearchSourceContract = {
  type: "application/atom+xml; charset=utf-8",
  found,
  first: {
    kind: "scholar",
    title: "Lighthouse optics, part 1: $a < b$",
    url: "https://arxiv.org/abs/2101.00001",
    publishedAt: "2021-03-04",
    snippet: "Lamps & lenses, measured.",
    publication: {
      authors: ["Ada Penrose", "José Núñez"],
      doi: null,
      arxivId: "2101.00001",
      pmid: null,
      venue: "arXiv",
      licence: null,
      retracted: false,
      fullTextUrl: "https://arxiv.org/pdf/2101.00001v2",
    },
  },
  nothing: feed([]),
  oneBroken: feed([entry(1), "<entry><updated>2021-01-01T00:00:00Z</updated></entry>", entry(3)]),
  otherShape: () => "<rss><channel/></rss>",
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("search_query"),
  odd: {
    "fails when the feed is an error of status 200": { answers: () => errorFeed, failure: "unreadable", says: /sortBy must be in/ },
    "fails with the feed's own words when the error has status 400": {
      answers: () => ({ status: 400, text: errorFeed }),
      failure: "unreadable",
      says: /sortBy must be in/,
    },
    "fails when results are counted and none is sent": {
      answers: () => "<feed><totalResults>7</totalResults></feed>",
      failure: "unreadable",
      says: /counted 7 results and sent none/,
    },
  },
};
