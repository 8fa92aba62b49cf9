import { expect, it, onTestFinished } from "vitest";
import { parseDomain, refusalOfDomain } from "../../src/domain/domains.ts";
import type { Run } from "../../src/domain/run.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { startService } from "../helpers/start-service.ts";

const PAGES = ["https://news.example/灯塔", "https://blog.example.org/lamp", "https://gov.example.org/lamp"];

/** A service with a search service that finds these pages, which cannot be read here, so that their snippets count. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  const tavily = await startLoopback((_request, response) => {
    const results = PAGES.map((url, n) => ({
      title: `灯塔 ${n}`,
      url,
      content: `灯塔的灯烧鲸油，第 ${n} 页。 The lamp burns whale oil.`,
      score: 0.9,
    }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ query: "q", results }));
  });
  onTestFinished(() => tavily.close());
  const environment = { TAVILY_API_KEY: "tvly-1", TAVILY_BASE_URL: tavily.url, SOURCES: "tavily,urls", ...settings };
  const parts = { network: { resolve: async () => [] } };
  return startService({ environment, parts });
}

function hostsOf({ report }: Run): string[] {
  return (report?.sources ?? []).map(({ url }) => new URL(url).host).toSorted();
}

it("are denied or allowed by a request, with the names below them, and the ledger says how many results were left out", async () => {
  const service = await start();
  const ask = (domains: object) => service.ask({ question: "灯塔的灯里烧什么？", domains }) as Promise<Run>;
  expect(hostsOf(await ask({ deny: ["example.org"] }))).toEqual(["news.example"]);
  const allowed = await ask({ allow: ["Example.org"], deny: ["blog.example.org"] });
  expect(hostsOf(allowed)).toEqual(["gov.example.org"]);
  expect(allowed.report?.ledger.find(({ what }) => what === "search")).toMatchObject({ results: 1, detail: "2 条结果来自不可使用的域名" });
  expect(await ask({ allow: ["https://x/"] })).toMatchObject({ code: "invalid_request", errors: [{ path: "/domains/allow/0" }] });
});

it("of the operator hold for every request, and refuse addresses that users give", async () => {
  const service = await start({ ALLOWED_DOMAINS: "example.org", DENIED_DOMAINS: "gov.example.org" });
  const ask = (body: object) => service.ask({ question: "灯塔的灯里烧什么？", ...body }) as Promise<Run>;
  expect(hostsOf(await ask({}))).toEqual(["blog.example.org"]);
  expect(hostsOf(await ask({ domains: { allow: ["news.example", "gov.example.org"] } }))).toEqual([]);
  expect(await ask({ urls: ["https://news.example/x"] })).toMatchObject({ code: "invalid_request", errors: [{ path: "/urls/0" }] });
});

it("compares whole labels, in any alphabet, and only addresses of the web", () => {
  const rules = [{ deny: [parseDomain("例子.测试") ?? "", parseDomain("*.example.org") ?? ""] }];
  expect(refusalOfDomain(rules, "https://a.例子.测试/x")).toContain("not to be used");
  expect(refusalOfDomain(rules, "https://EXAMPLE.org./x")).toContain("not to be used");
  expect(refusalOfDomain(rules, "https://notexample.org/")).toBeNull();
  expect(refusalOfDomain([{ allow: [] }], "corpus:灯塔.md")).toBeNull();
  expect(["", "a b", "http://x", "x/y", "-a.org", "a..b"].map(parseDomain)).toEqual(Array(6).fill(null));
});
