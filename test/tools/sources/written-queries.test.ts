import { describe, expect, it } from "vitest";
import type { SearchQuery } from "../../../src/domain/ports/sources.ts";
import type { SourceEntry } from "../../../src/tools/shared/entry.ts";
import { SOURCES } from "../../../src/tools/sources/sources.ts";
import type { SeenRequest } from "../../contracts/recorded-request.ts";
import type { SearchSourceContract } from "../../contracts/search-source.ts";
import { type Answers, API_KEY, serviceUnderTest } from "../../contracts/service-under-test.ts";

const ENGLISH: SearchQuery = {
  text: "What of “whale oil” OR state-of-the-art lamps",
  written: true,
  language: "en",
  limit: 20,
  from: "2020-01-05",
  to: "2021-11-30",
};
const CHINESE: SearchQuery = { text: "《鲸油灯塔》的历史 灯芯", written: true, language: "zh", limit: 20, to: "2021-11-30" };
const email = "operator@example.org";

/** What arrives at the service, without the long list of the fields that it shall send. */
type Sent = Readonly<Record<string, unknown>>;
interface Expected {
  readonly path: string;
  readonly english: Sent;
  readonly chinese: Sent;
}

const ARXIV_WORDS = 'all:What AND all:of AND all:"whale oil" AND all:"state of the art" AND all:lamps';
const EUROPE_PMC_WORDS = 'What AND of AND "whale oil" AND "state-of-the-art" AND lamps';
const WEB_WORDS = 'What of "whale oil" state-of-the-art lamps';
const CHINESE_WORDS = '"鲸油灯塔" 的历史 灯芯';
const openalex = { per_page: "20", mailto: email, api_key: API_KEY };
const crossref = { rows: "20", mailto: email };
const arxiv = { max_results: "20", sortBy: "relevance" };
const pubmed = { db: "pubmed", retmode: "json", retmax: "20", sort: "relevance", tool: "dossier", email, api_key: API_KEY };
const europePmc = { resultType: "core", format: "json", pageSize: "20", email };
const wikipedia = { gsrnamespace: "0", gsrlimit: "20", prop: "extracts|revisions", exintro: "1", explaintext: "1", exlimit: "20" };
const wikipediaForm = { action: "query", format: "json", formatversion: "2", generator: "search", rvprop: "timestamp" };
const brave = { count: "20", text_decorations: "false", result_filter: "web" };

const EXPECTED: Readonly<Record<string, Expected>> = {
  openalex: {
    path: "GET /works",
    english: {
      ...openalex,
      search: 'What of "whale oil" state-of-the-art lamps',
      filter: "from_publication_date:2020-01-05,to_publication_date:2021-11-30",
    },
    chinese: { ...openalex, search: CHINESE_WORDS, filter: "to_publication_date:2021-11-30" },
  },
  crossref: {
    path: "GET /works",
    english: {
      ...crossref,
      "query.bibliographic": "What of whale oil state-of-the-art lamps",
      filter: "from-pub-date:2020-01-05,until-pub-date:2021-11-30",
    },
    chinese: { ...crossref, "query.bibliographic": "鲸油灯塔 的历史 灯芯", filter: "until-pub-date:2021-11-30" },
  },
  arxiv: {
    path: "GET /api/query",
    english: { ...arxiv, search_query: `(${ARXIV_WORDS}) AND submittedDate:[202001050000 TO 202111302359]` },
    chinese: {
      ...arxiv,
      search_query: '(all:"鲸油灯塔" AND all:的历史 AND all:灯芯) AND submittedDate:[100001010000 TO 202111302359]',
    },
  },
  semantic_scholar: {
    path: "GET /graph/v1/paper/search",
    english: { query: "What of whale oil state of the art lamps", limit: "20", publicationDateOrYear: "2020-01-05:2021-11-30" },
    chinese: { query: "鲸油灯塔 的历史 灯芯", limit: "20", publicationDateOrYear: ":2021-11-30" },
  },
  pubmed: {
    path: "GET /entrez/eutils/esearch.fcgi",
    english: {
      ...pubmed,
      term: 'What AND of AND "whale oil" AND state-of-the-art AND lamps',
      datetype: "pdat",
      mindate: "2020/01/05",
      maxdate: "2021/11/30",
    },
    chinese: { ...pubmed, term: '"鲸油灯塔" AND 的历史 AND 灯芯', datetype: "pdat", mindate: "1000/01/01", maxdate: "2021/11/30" },
  },
  europe_pmc: {
    path: "GET /europepmc/webservices/rest/search",
    english: { ...europePmc, query: `(${EUROPE_PMC_WORDS}) AND FIRST_PDATE:[2020-01-05 TO 2021-11-30]` },
    chinese: { ...europePmc, query: '("鲸油灯塔" AND 的历史 AND 灯芯) AND FIRST_PDATE:[1000-01-01 TO 2021-11-30]' },
  },
  wikipedia: {
    path: "GET /en.wikipedia.org/w/api.php",
    english: { ...wikipediaForm, ...wikipedia, gsrsearch: WEB_WORDS },
    chinese: { ...wikipediaForm, ...wikipedia, gsrsearch: CHINESE_WORDS, variant: "zh-cn" },
  },
  searxng: {
    path: "GET /search",
    english: { q: WEB_WORDS, format: "json", language: "en" },
    chinese: { q: CHINESE_WORDS, format: "json", language: "zh" },
  },
  tavily: {
    path: "POST /search",
    english: { query: WEB_WORDS, max_results: 20, search_depth: "basic", start_date: "2020-01-05", end_date: "2021-11-30" },
    chinese: { query: CHINESE_WORDS, max_results: 20, search_depth: "basic", end_date: "2021-11-30" },
  },
  brave: {
    path: "GET /res/v1/web/search",
    english: { ...brave, q: WEB_WORDS, search_lang: "en", freshness: "2020-01-05to2021-11-30" },
    chinese: { ...brave, q: CHINESE_WORDS, search_lang: "zh-hans", freshness: "1990-01-01to2021-11-30" },
  },
  serper: {
    path: "POST /search",
    english: { q: WEB_WORDS, hl: "en", num: 10, page: 1, tbs: "cdr:1,cd_min:1/5/2020,cd_max:11/30/2021" },
    chinese: { q: CHINESE_WORDS, hl: "zh-cn", num: 10, page: 1, tbs: "cdr:1,cd_max:11/30/2021" },
  },
  duckduckgo: {
    path: "POST /html/",
    english: { q: WEB_WORDS, kl: "wt-wt", df: "2020-01-05..2021-11-30" },
    chinese: { q: CHINESE_WORDS, kl: "cn-zh", df: "1990-01-01..2021-11-30" },
  },
};

function sentBy({ url, body }: SeenRequest): Sent {
  const { select: _select, fields: _fields, ...parameters } = Object.fromEntries(url.searchParams);
  if (body === "") return parameters;
  return body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

const pathOf = ({ method, url }: SeenRequest): string => `${method} ${url.pathname}`;

async function contractOf({ endpoint: { id } }: SourceEntry): Promise<SearchSourceContract> {
  const { CONTRACT } = (await import(`../../contracts/sources/${id.replaceAll("_", "-")}.ts`)) as { CONTRACT: SearchSourceContract };
  return CONTRACT;
}

async function ask(entry: SourceEntry, query: SearchQuery, answers?: Answers) {
  const contract = await contractOf(entry);
  const { source, requests } = await serviceUnderTest(entry, contract.type, answers ?? contract.found(3));
  const { hits } = await source.search(query, { signal: new AbortController().signal, scope: [entry.endpoint.id] });
  return { hits, requests, sent: requests.map(sentBy) };
}

const named = (id: string): SourceEntry => SOURCES.find(({ endpoint }) => endpoint.id === id)!;

describe.each(SOURCES.map((entry) => [entry.endpoint.id, entry] as const))("%s", (id, entry) => {
  const expected = EXPECTED[id];

  it("gets every word of a written query, the phrase as one, and both days", async () => {
    const { requests, sent } = await ask(entry, ENGLISH);
    expect(requests[0] && pathOf(requests[0])).toBe(expected?.path);
    expect(sent[0]).toEqual(expected?.english);
  });

  it("gets a Chinese query with a title and a last day", async () => {
    expect((await ask(entry, CHINESE)).sent[0]).toEqual(expected?.chinese);
  });

  // An encyclopedia dates its articles by their last change.
  it.skipIf(entry.kind === "encyclopedia")("gives no hit that is known to be from other days", async () => {
    const all = (await ask(entry, { ...ENGLISH, from: "1800-01-01", to: "2100-01-01" })).hits;
    const undated = all.filter(({ publishedAt }) => publishedAt === null);
    expect((await ask(entry, { ...ENGLISH, from: "1800-01-01", to: "1800-12-31" })).hits).toEqual(undated);
    expect((await ask(entry, { text: "lamps", language: "en", limit: 20, from: "2100-01-01" })).hits).toEqual(undated);
  });
});

describe("a written query", () => {
  it.each([
    ["arxiv", "search_query", `(${ARXIV_WORDS.replaceAll(" AND ", " OR ")}) AND submittedDate:[202001050000 TO 202111302359]`],
    ["europe_pmc", "query", `(${EUROPE_PMC_WORDS.replaceAll(" AND ", " OR ")}) AND FIRST_PDATE:[2020-01-05 TO 2021-11-30]`],
    ["pubmed", "term", 'What OR of OR "whale oil" OR state-of-the-art OR lamps'],
    ["openalex", "search", 'What OR of OR "whale oil" OR state-of-the-art OR lamps'],
    ["wikipedia", "gsrsearch", 'What OR of OR "whale oil" OR state-of-the-art OR lamps'],
  ])("keeps phrase and days when %s is asked for any of the words", async (id, parameter, value) => {
    const entry = named(id);
    const { sent } = await ask(entry, ENGLISH, (await contractOf(entry)).nothing);
    expect(sent.map((request) => request[parameter])).toEqual([expect.not.stringContaining(" OR "), value]);
    expect(sent[1]).toEqual({ ...sent[0], [parameter]: value });
  });

  it.each([
    ["arxiv", "search_query", 'all:"whale oil" AND all:ti AND all:lamp'],
    ["europe_pmc", "query", '"whale oil" AND ti AND lamp'],
    ["pubmed", "term", '"whale oil" AND ti AND lamp'],
    ["openalex", "search", '"whale oil" ti lamp'],
    ["wikipedia", "gsrsearch", '"whale oil" ti lamp'],
    ["searxng", "q", '"whale oil" ti lamp'],
    ["brave", "q", '"whale oil" ti lamp'],
  ])("keeps the syntax of %s out of words and phrases", async (id, parameter, value) => {
    const text = String.raw`!"whale*\ (oil)"~[ti] AND -lamp?" NOT`;
    expect((await ask(named(id), { text, written: true, language: "en", limit: 20 })).sent[0]?.[parameter]).toBe(value);
  });

  it("asks Brave for at most 50 words, and ends before a phrase that does not fit", async () => {
    const text = `${"oil ".repeat(48)}"of the lamp" oil`;
    const { sent } = await ask(named("brave"), { text, written: true, language: "en", limit: 20 });
    expect(sent[0]?.["q"]).toBe("oil ".repeat(48).trim());
  });
});

it.each([
  ["searxng", "language", "de", undefined],
  ["brave", "search_lang", "de", undefined],
  ["serper", "hl", "de", undefined],
  ["duckduckgo", "kl", "de-de", "wt-wt"],
])("%s is told no language if that of the query is not known", async (id, parameter, german, unknown) => {
  const sentIn = async (language: string) =>
    (await ask(named(id), { text: "Walöl Lampen", written: true, language, limit: 20 })).sent[0]?.[parameter];
  expect([await sentIn("de"), await sentIn("und")]).toEqual([german, unknown]);
});

describe("a query without a last day", () => {
  const query = (today?: string): SearchQuery => ({ ...ENGLISH, text: "lamp", from: "2020-01-05", ...(today !== undefined && { today }) });
  const { to: _to, ...open } = query();

  it.each([
    ["brave", "freshness", "2020-01-05to2026-11-27"],
    ["duckduckgo", "df", "2020-01-05..2026-11-27"],
  ])("ends today for %s, and is not filtered there if today is unknown", async (id, parameter, range) => {
    expect((await ask(named(id), { ...open, today: "2026-11-27" })).sent[0]?.[parameter]).toBe(range);
    expect((await ask(named(id), open)).sent[0]?.[parameter]).toBeUndefined();
  });

  it.each([
    ["2026-11-27", undefined, "day"],
    ["2026-11-26", undefined, "week"],
    ["2026-11-20", "2027-01-01", "month"],
    ["2025-11-28", undefined, "year"],
    ["2025-11-27", undefined, undefined],
    ["2026-11-21", "2026-11-26", undefined],
    [undefined, "2026-11-27", undefined],
  ])("from %s to %s is the range %o of SearXNG", async (from, to, range) => {
    const { from: _from, ...plain } = open;
    const dates = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    expect((await ask(named("searxng"), { ...plain, ...dates, today: "2026-11-27" })).sent[0]?.["time_range"]).toBe(range);
  });
});
