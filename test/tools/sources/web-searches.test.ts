import { describe, expect, it } from "vitest";
import type { SourceEntry } from "../../../src/tools/shared/entry.ts";
import { BRAVE } from "../../../src/tools/sources/brave.ts";
import { DUCKDUCKGO } from "../../../src/tools/sources/duckduckgo.ts";
import { SEARXNG } from "../../../src/tools/sources/searxng.ts";
import { SERPER } from "../../../src/tools/sources/serper.ts";
import { TAVILY } from "../../../src/tools/sources/tavily.ts";
import type { SeenRequest } from "../../contracts/recorded-request.ts";
import { type Answers, serviceUnderTest } from "../../contracts/service-under-test.ts";

/** Returns the requests of one search, whatever the service answers. */
async function requestsOf(entry: SourceEntry, query: { text: string; language?: string; limit?: number }, answers: Answers = () => "{}") {
  const { source, requests } = await serviceUnderTest(entry, "application/json", answers);
  const context = { signal: new AbortController().signal, scope: [entry.endpoint.owner] };
  const answer = await source.search({ language: "en", limit: 20, ...query }, context).catch(() => null);
  return { requests, hits: answer?.hits ?? [] };
}

const parameters = (request: SeenRequest | undefined) => Object.fromEntries(request?.url.searchParams ?? []);

describe("Brave", () => {
  const results = (page: number) =>
    Array.from({ length: 20 }, (_, n) => ({ title: "Lighthouse", url: `https://example.org/${page * 20 + n}`, description: "" }));
  const answers: Answers = ({ url }) =>
    JSON.stringify({ type: "search", query: {}, web: { results: results(Number(url.searchParams.get("offset") ?? 0)) } });

  it("gets a request for one page of 20 unless more are wanted", async () => {
    const { requests } = await requestsOf(BRAVE, { text: "Who built the lighthouse?" }, answers);
    expect(requests.map(parameters)).toEqual([
      { q: "Who built the lighthouse?", count: "20", search_lang: "en", text_decorations: "false", result_filter: "web" },
    ]);
  });

  it("gets requests for further pages if more are wanted", async () => {
    const { requests, hits } = await requestsOf(BRAVE, { text: "lighthouse", limit: 30 }, answers);
    expect(requests.map((request) => parameters(request)["offset"])).toEqual([undefined, "1"]);
    expect(hits).toHaveLength(30);
  });

  it.each([
    ["zh", "zh-hans"],
    ["zh-Hant-TW", "zh-hant"],
    ["ja", "jp"],
    ["pt-BR", "pt-br"],
    ["de-AT", "de"],
    ["sw", undefined],
  ])("gets the language %s in its own notation", async (language, searchLanguage) => {
    const { requests } = await requestsOf(BRAVE, { text: "灯塔", language });
    expect(parameters(requests[0])["search_lang"]).toBe(searchLanguage);
  });

  it("gets at most 400 characters and 50 words", async () => {
    const { requests } = await requestsOf(BRAVE, { text: "lamp ".repeat(70) });
    expect(parameters(requests[0])["q"]?.split(" ")).toHaveLength(50);
    const long = await requestsOf(BRAVE, { text: "lighthouse ".repeat(60) });
    expect(parameters(long.requests[0])["q"]?.length).toBeLessThanOrEqual(400);
  });
});

it("Serper gets requests for pages of ten until there are enough hits", async () => {
  const answers: Answers = ({ body }) => {
    const { page } = JSON.parse(body) as { page: number };
    const organic = Array.from({ length: 10 }, (_, n) => ({ title: "Lighthouse", link: `https://example.org/${page * 10 + n}` }));
    return JSON.stringify({ searchParameters: {}, organic });
  };
  const { requests, hits } = await requestsOf(SERPER, { text: "灯塔是谁建的？", language: "zh", limit: 15 }, answers);
  expect(requests.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
    ["POST", { q: "灯塔是谁建的？", hl: "zh-cn", num: 10, page: 1 }],
    ["POST", { q: "灯塔是谁建的？", hl: "zh-cn", num: 10, page: 2 }],
  ]);
  expect(hits).toHaveLength(15);
});

it("Tavily gets the question unchanged, and a request for at most 20 results", async () => {
  const { requests } = await requestsOf(TAVILY, { text: " 灯塔是谁建的？ ", language: "zh", limit: 50 });
  expect(requests.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
    ["POST", { query: "灯塔是谁建的？", max_results: 20, search_depth: "basic" }],
  ]);
});

it.each([BRAVE, DUCKDUCKGO, SEARXNG, SERPER, TAVILY].map((entry) => [entry.endpoint.id, entry] as const))(
  "%s gets no request if there is no question",
  async (_, entry) => {
    expect((await requestsOf(entry, { text: " \n " })).requests).toEqual([]);
  },
);
