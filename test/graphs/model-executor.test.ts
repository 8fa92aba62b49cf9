import { expect, it, onTestFinished, test } from "vitest";
import { startEastmoney } from "../fakes/eastmoney.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { countsOf } from "../helpers/claims.ts";
import { askModel } from "../helpers/with-model.ts";
import { startEdgar } from "../tools/sec-edgar/edgar-server.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const ANSWER = 'Ada Penrose built it in 1874. [P1: "The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]';

/** `alpha` finds one thing for each query, `barren` finds nothing, `broken` answers 500. */
async function startTools() {
  const server = await startLoopback((request, response) => {
    const url = new URL(request.url ?? "", "http://tools");
    const name = url.pathname.slice(1);
    const query = url.searchParams.get("query") ?? "";
    if (name === "broken") return void response.writeHead(500).end("no");
    const source = {
      title: `${name} on ${query}`,
      url: `https://example.org/${name}/${encodeURIComponent(query)}`,
      publishedAt: null,
      snippet: query,
      text: `${name} says: ${query}.`,
    };
    const answer = { text: `about ${query}`, sources: name === "barren" ? [] : [source] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  onTestFinished(() => server.close());
  return { server, tools: ["alpha", "barren", "broken"].map((name) => httpTool(name, server.url)) };
}

const decides = (request: SeenRequest): boolean => offeredTools(request).length > 0;
/** Returns the id of the passage that names the builder. */
const quoting = (request: SeenRequest): string => {
  const shown = contentsOf(request, "user").join("\n");
  const id = /\bP\d+\b(?=[\s\S]{0,400}built in 1874 by Ada Penrose)/.exec(shown)?.[0] ?? "P1";
  return ANSWER.replace("P1", id);
};

it("takes no round for a question that needs no tool: one decision, one report", async () => {
  const { tools } = await startTools();
  const { model, run, of } = await askModel(
    (request) => (decides(request) ? say.text("The documents in scope will say it.") : say.text(quoting(request))),
    { question: QUESTION },
    { parts: { tools } },
  );
  expect(of("loop-ended")).toMatchObject([{ reason: "no_tools", rounds: 0 }]);
  expect(model.requests).toHaveLength(2);
  expect(run.termination?.reason).toBe("completed");
  expect(run.report?.claims.map(({ text }) => text)).toEqual(["Ada Penrose built it in 1874."]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]);
  expect(run.usage).toMatchObject({ modelCalls: 2, models: [{ model: "scripted", calls: 2 }] });
});

it("pays no decision if no tool is offered", async () => {
  const { model, of } = await askModel((request) => say.text(quoting(request)), { question: QUESTION }, { parts: { tools: [] } });
  expect(model.requests).toHaveLength(1);
  expect(of("decision")).toMatchObject([{ toolsOffered: [], toolCalls: [] }]);
});

it("ends at the cap after exactly three rounds and three decisions, then searches and writes", async () => {
  const { tools } = await startTools();
  let asked = 0;
  const { model, run, of } = await askModel(
    (request) => {
      if (!decides(request)) return say.text(quoting(request));
      asked += 1;
      return say.toolCalls([{ name: "alpha", arguments: { query: `灯塔 ${asked}` } }]);
    },
    { question: QUESTION },
    { parts: { tools } },
  );
  expect(of("loop-ended")).toMatchObject([{ reason: "cap", rounds: 3 }]);
  expect(of("round-ended")).toHaveLength(3);
  expect(model.requests.filter(decides)).toHaveLength(3);
  expect(of("node-started").map(({ node }) => node)).toContain("search");
  expect(run.termination?.reason).toBe("completed");
  expect(countsOf(run.report).checked).toBe(1);
});

it("ends with no_progress if two calls without results alternate", async () => {
  const { tools } = await startTools();
  let asked = 0;
  const { run, of } = await askModel(
    (request) => {
      if (!decides(request)) return say.text(quoting(request));
      asked += 1;
      return say.toolCalls([{ name: "barren", arguments: { query: asked % 2 === 0 ? "even" : "odd" } }]);
    },
    { question: QUESTION, limits: { optionalToolLoops: 3 } },
    { parts: { tools } },
  );
  expect(of("loop-ended")).toMatchObject([{ reason: "no_progress", rounds: 2 }]);
  expect(run.status).toBe("succeeded");
});

it("lets a tool help in round two after another failed in round one", async () => {
  const { tools } = await startTools();
  const script = [
    say.toolCalls([{ name: "broken", arguments: { query: "灯塔" } }]),
    say.toolCalls([{ name: "alpha", arguments: { query: "灯塔" } }]),
    say.text("Enough."),
  ];
  let next = 0;
  const { run, of, model } = await askModel(
    (request) => (decides(request) ? script[next++] : say.text(quoting(request))),
    { question: QUESTION },
    { parts: { tools } },
  );
  expect(of("tool-ended").map(({ tool, ok }) => [tool, ok])).toEqual([
    ["broken", false],
    ["alpha", true],
  ]);
  expect(of("loop-ended")).toMatchObject([{ reason: "sufficient", rounds: 2 }]);
  expect(run.report?.ledger.filter(({ what }) => what === "tool").map(({ outcome }) => outcome)).toEqual(["failed", "found"]);
  const told = JSON.stringify(model.requests.filter(decides)[1]?.body.messages);
  expect(told).toContain("broken answered 500");
});

it("sends invalid JSON arguments back to the model, and executes nothing", async () => {
  const { tools, server } = await startTools();
  const script = [say.halfJson({ name: "alpha", arguments: { query: "灯塔是谁建造的" } }), say.text("Enough.")];
  let next = 0;
  const { run, of } = await askModel(
    (request) => (decides(request) ? script[next++] : say.text(quoting(request))),
    { question: QUESTION },
    { parts: { tools } },
  );
  expect(server.requests).toEqual([]);
  expect(of("tool-ended")).toMatchObject([{ ok: false, error: { code: "invalid_arguments" } }]);
  expect(run.termination?.reason).toBe("completed");
});

test("two companies are compared with EDGAR and then akshare; the results of both are kept and cited", async () => {
  const market = await startEastmoney(EASTMONEY_DATA);
  const edgar = await startEdgar();
  const script = [
    say.toolCalls([{ name: "sec_edgar_search", arguments: { what: "facts", company: "Apple", concepts: ["net income"], years: [2023] } }]),
    say.toolCalls([
      {
        name: "akshare_search",
        arguments: { action: "financials", name: "贵州茅台", reports: "annual", start_date: "2023-01-01", end_date: "2023-12-31" },
      },
    ]),
    say.text("Both figures are there."),
  ];
  let next = 0;
  const { run, of, model } = await askModel(
    (request) => {
      if (decides(request)) return script[next++];
      const shown = contentsOf(request, "user").join("\n");
      const idBefore = (words: string): string => [...shown.slice(0, shown.indexOf(words)).matchAll(/\bP\d+\b/g)].at(-1)?.[0] ?? "P1";
      return say.text(
        `Apple earned 96,995,000,000 USD. [${idBefore("96,995,000,000")}: "96,995,000,000 USD"] ` +
          `贵州茅台的净利润为 74,734,071,550.75 元。 [${idBefore("74,734,071,550.75")}: "74,734,071,550.75 元"]`,
      );
    },
    { question: "Compare the 2023 net income of Apple and 贵州茅台." },
    {
      environment: { SOURCES: "corpus,sec_edgar_search,akshare_search", SEC_EDGAR_BASE_URL: edgar.url, EASTMONEY_BASE_URL: market.url },
    },
  );
  expect(of("tool-ended").map(({ tool, ok }) => [tool, ok])).toEqual([
    ["sec_edgar_search", true],
    ["akshare_search", true],
  ]);
  expect(of("loop-ended")).toMatchObject([{ reason: "sufficient", rounds: 2 }]);
  const finders = run.report?.citations.map(({ sourceId }) => run.report?.sources.find(({ id }) => id === sourceId)?.foundBy);
  expect(finders).toEqual(["sec_edgar_search", "akshare_search"]);
  expect(model.requests).toHaveLength(4);
});

const search = (text: string) => say.toolCalls([{ name: "search", arguments: { queries: [{ text }] } }]);

test.each([
  [QUESTION, "Aldermoor lighthouse lamp"],
  ["奥尔德穆尔灯塔的灯烧什么？", "灯塔 灯油"],
])("a model that wrote no queries is asked again in the next run of the same question: %s", async (question, words) => {
  const { tools } = await startTools();
  let asked = 0;
  const decide = () => (asked++ === 1 ? say.text("Nothing more is needed.") : search(words));
  const { model, dossier } = await askModel(
    (request) => (decides(request) ? decide() : say.text(quoting(request))),
    // The first search indexes the corpus, and then its languages are known.
    { question: "Where is Aldermoor?" },
    { parts: { tools } },
  );
  const searched = async () => {
    const { id } = await dossier.finish((await dossier.start({ question })).id);
    const decided = (await dossier.events(id)).filter((event) => event.type === "decision");
    return decided.map(({ cached, queries }) => [cached, queries?.map(({ text }) => text)]);
  };
  expect([await searched(), await searched(), await searched()]).toEqual([
    [[false, undefined]],
    [[false, [words]]],
    // What it wrote then is kept.
    [[true, [words]]],
  ]);
  expect(model.requests.filter(decides)).toHaveLength(3);
});

test("a decision for an equal view comes from the cache and says so", async () => {
  const { tools } = await startTools();
  const { model, dossier, of } = await askModel(
    (request) => (decides(request) ? search("Aldermoor lighthouse") : say.text(quoting(request))),
    // The first search indexes the corpus, and then its languages are known.
    { question: "Where is Aldermoor?" },
    { parts: { tools } },
  );
  expect(of("decision")).toMatchObject([{ cached: false }]);
  await dossier.finish((await dossier.start({ question: QUESTION })).id);
  const again = await dossier.finish((await dossier.start({ question: QUESTION })).id);
  const decisions = (await dossier.events(again.id)).filter(({ type }) => type === "decision");
  expect(decisions).toMatchObject([{ cached: true }]);
  expect(model.requests.filter(decides)).toHaveLength(2);
});

test.each([
  ["modelCalls", { modelCalls: 3 }, "model_call_cap"],
  ["tokens", { tokens: 12_000 }, "token_budget"],
] as const)("a spent budget of %s ends the gathering, and the report is still written", async (_, limits, reason) => {
  const { tools } = await startTools();
  let asked = 0;
  const { run, of } = await askModel(
    (request) => {
      if (!decides(request)) return say.text(quoting(request));
      asked += 1;
      return say.toolCalls([{ name: "alpha", arguments: { query: `q${asked}` } }], {
        usage: { prompt_tokens: 3_000, completion_tokens: 100, total_tokens: 3_100 },
      });
    },
    { question: QUESTION, limits },
    { parts: { tools } },
  );
  expect(of("loop-ended")).toMatchObject([{ reason: "budget" }]);
  expect(run.termination?.reason).toBe(reason);
  expect(countsOf(run.report).checked).toBeGreaterThan(0);
});

test("a run that may make no model call is decided and written by rules", async () => {
  const { tools } = await startTools();
  const { model, run } = await askModel([], { question: QUESTION, limits: { modelCalls: 0 } }, { parts: { tools } });
  expect(model.requests).toEqual([]);
  expect(run.report?.claims.map(({ text }) => text).join(" ")).toContain("Ada Penrose");
});
