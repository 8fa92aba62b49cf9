import { expect, it, onTestFinished } from "vitest";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, offeredTools, rewritesQueries, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { askModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const PAGE = "<html><body><article><p>The lighthouse of Aldermoor was built in 1874 by Ada Penrose.</p></article></body></html>";
const QUESTION = "奥尔德穆尔灯塔是谁建造的？";
const decides = (request: SeenRequest): boolean => offeredTools(request).includes("search") && !rewritesQueries(request);
const search = (queries: unknown) => ({ name: "search", arguments: { queries } });

/** A web search with one page, an encyclopedia that finds nothing, and an optional tool. Each logs the query of each request. */
async function ask(script: Script, request: object = {}) {
  const asked = { web: [] as string[], encyclopedia: [] as string[], tool: [] as string[] };
  const server = await startLoopback((request, response) => {
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    const json = (value: unknown) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/page") return void response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    if (url.pathname === "/search") {
      asked.web.push(url.searchParams.get("q") ?? "");
      return void json({ results: [{ title: "Lighthouse of Aldermoor", url: `${url.origin}/page`, content: "Built in 1874." }] });
    }
    if (url.pathname === "/tool") {
      asked.tool.push(url.searchParams.get("query") ?? "");
      return void json({
        text: "A fact.",
        sources: [{ title: "T", url: `https://example.org/${asked.tool.length}`, publishedAt: null, snippet: "", text: "A fact." }],
      });
    }
    asked.encyclopedia.push(url.searchParams.get("gsrsearch") ?? url.searchParams.get("srsearch") ?? url.href);
    return void json({ batchcomplete: true });
  });
  onTestFinished(() => server.close());
  const environment = {
    ...{ SOURCES: "searxng,wikipedia,tool", SEARXNG_BASE_URL: server.url, WIKIPEDIA_BASE_URL: server.url },
    ALLOWED_PRIVATE_HOSTS: new URL(server.url).host,
  };
  const tools = [httpTool("tool", server.url)];
  const run = await askModel(script, { question: QUESTION, ...request }, { environment, parts: { tools } });
  return { ...run, asked, tools };
}

function writes(request: SeenRequest) {
  const id = /\bP\d+\b(?=[\s\S]{0,400}built in 1874)/.exec(contentsOf(request, "user").join("\n"))?.[0] ?? "P1";
  return say.text(`灯塔由 Ada Penrose 于 1874 年建造。[${id}: "built in 1874 by Ada Penrose"]`);
}

const decidesWith = (...answers: readonly Behavior[]): Script => {
  let round = 0;
  return (request) => (decides(request) ? (answers[round++] ?? say.text("Enough.")) : writes(request));
};

it("searches for the queries of the model, each in the sources of its kinds, and reads what a Chinese question finds in English", async () => {
  const queries = [
    { text: '"lighthouse of Aldermoor" builder', kinds: ["web"], language: "en" },
    { text: "Aldermoor lighthouse", kinds: ["web", "encyclopedia"] },
  ];
  const run = await ask(decidesWith(say.toolCalls([search(queries)])));
  expect(run.asked.web).toEqual(['"lighthouse of Aldermoor" builder', "Aldermoor lighthouse"]);
  expect(run.asked.encyclopedia.join(" ")).not.toContain("builder");
  expect(run.of("loop-ended")).toMatchObject([{ reason: "no_tools", rounds: 0 }]);
  expect(run.of("decision")[0]?.queries).toMatchObject([
    { text: '"lighthouse of Aldermoor" builder', kinds: ["web"] },
    { kinds: ["web", "encyclopedia"] },
  ]);
  expect(run.run.report?.ledger.filter(({ what }) => what === "search").map(({ source, target }) => [source, target])).toEqual([
    ["searxng", '"lighthouse of Aldermoor" builder'],
    ["searxng", "Aldermoor lighthouse"],
    ["wikipedia", "Aldermoor lighthouse"],
  ]);
  expect(run.run.report?.citations.map(({ quote }) => quote)).toEqual(["built in 1874 by Ada Penrose"]);
  await expectReplay(run, { tools: run.tools });
});

it("performs the tools beside the queries, and uses the queries that were given last", async () => {
  const first = say.toolCalls([search([{ text: "first" }]), { name: "tool", arguments: { query: "a" } }]);
  const second = say.toolCalls([search([{ text: "second", kinds: ["web"] }]), { name: "tool", arguments: { query: "b" } }]);
  const run = await ask(decidesWith(first, second, say.text("It is enough.")));
  expect(run.asked.tool).toEqual(["a", "b"]);
  expect(run.asked.web).toEqual(["second"]);
  expect(run.of("decision").map(({ toolCalls }) => toolCalls.map(({ name }) => name))).toEqual([["tool"], ["tool"], []]);
});

it("uses the last queries at the cap", async () => {
  const again = (text: string) => say.toolCalls([search([{ text, kinds: ["web"] }]), { name: "tool", arguments: { query: text } }]);
  const run = await ask(decidesWith(again("one"), again("two"), again("three")), { limits: { optionalToolLoops: 1 } });
  expect(run.of("loop-ended")).toMatchObject([{ reason: "cap", rounds: 1 }]);
  expect(run.asked.web).toEqual(["one"]);
});

it.each([
  ["writes none that can be read", say.toolCalls([{ name: "search", arguments: { topic: 5 } }])],
  ["sends cut JSON", say.toolCalls([{ name: "search", arguments: '{"queries": [{"text": "apple q0"}, {"te' as never }])],
])("searches for the words of the question if the model %s", async (_, answer) => {
  const run = await ask(decidesWith(answer));
  expect(run.asked.web).toHaveLength(1);
  expect(run.asked.web[0]).toContain("奥尔德穆尔");
  expect(run.asked.encyclopedia.join(" ")).toContain("奥尔德穆尔");
});

it.each([
  ["the general sources", undefined, "贵州茅台 股价", [["贵州茅台 股价"], false], "askedGeneral"],
  ["all sources, if none is general,", ["wikipedia", "tool"], "10-K", [[], true], "askedAll"],
])("asks %s a query of which the run has no kind", async (_, sources, text, asked, field) => {
  const request = sources && { sources };
  const run = await ask(decidesWith(say.toolCalls([search([{ text, kinds: ["filing", "market"] }])])), request);
  expect([run.asked.web, run.asked.encyclopedia.some((words) => words.includes(text))]).toEqual(asked);
  const [searched] = run.run.report?.ledger.filter(({ what }) => what === "search") ?? [];
  expect(searched?.asked).toEqual({ kinds: ["filing", "market"], [field]: true });
  await expectReplay(run, { tools: run.tools });
});

it("says in the ledger and the report what each source was sent, with kinds, language and dates, and what was left out", async () => {
  const queries = [
    { text: 'Aldermoor site:evil.example OR "lighthouse"', kinds: ["web"], language: "en", from: "2025-02-30", to: "2030-01-01" },
    { text: "灯塔 年报", kinds: ["filing"] },
  ];
  const run = await ask(decidesWith(say.toolCalls([search(queries)])));
  const ledger = run.run.report?.ledger.filter(({ what }) => what === "search") ?? [];
  expect(ledger.map(({ source, target, asked }) => [source, target, asked])).toEqual([
    ["searxng", run.asked.web[0], { kinds: ["web"], language: "en", to: "2030-01-01", unused: ["site:evil.example", "OR", "2025-02-30"] }],
    ["searxng", "灯塔 年报", { kinds: ["filing"], askedGeneral: true }],
  ]);
  expect(run.asked.web[0]).toBe('Aldermoor "lighthouse"');
  expect(run.run.report?.markdown).toContain("（网页；语言 en；至 2030-01-01；未采用：site:evil.example、OR、2025-02-30）");
  await expectReplay(run, { tools: run.tools });
});
