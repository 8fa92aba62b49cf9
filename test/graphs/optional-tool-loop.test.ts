import { expect, it, onTestFinished } from "vitest";
import type { JsonValue } from "../../src/domain/json.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { type ScriptedAnalyst, type ScriptedCall, scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { meeting } from "../helpers/meeting.ts";
import { openDossier } from "../helpers/open-dossier.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

/** `alpha` and `beta` find one thing for each query, `barren` finds nothing, `broken` answers 500, `slow` never answers. */
async function startTools(beforeAnswer: () => Promise<void> = async () => {}): Promise<LoopbackServer> {
  const server = await startLoopback(async (request, response) => {
    const url = new URL(request.url ?? "", "http://tools");
    const name = url.pathname.slice(1);
    const query = url.searchParams.get("query") ?? "";
    if (name === "slow") return;
    if (name === "broken") return void response.writeHead(500).end("no");
    await beforeAnswer();
    const source = {
      title: `${name} on ${query}`,
      url: `https://example.org/${name}/${encodeURIComponent(query)}`,
      publishedAt: null,
      snippet: query,
      text: `${name} says: ${query}.`,
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ text: `about ${query}`, sources: name === "barren" ? [] : [source] }));
  });
  onTestFinished(() => server.close());
  return server;
}

const call = (tool: string, query: JsonValue): ScriptedCall => [tool, { query }];

async function run(
  script: readonly (readonly ScriptedCall[])[],
  limits: { optionalToolLoops?: number; steps?: number } = {},
  beforeAnswer?: () => Promise<void>,
) {
  const server = await startTools(beforeAnswer);
  const tools = ["alpha", "beta", "barren", "broken"].map((name) => httpTool(name, server.url)).concat(httpTool("slow", server.url, 100));
  const analyst: ScriptedAnalyst = scriptedAnalyst(script);
  const dossier = await openDossier({ parts: { analyst, tools } });
  const { id } = await dossier.start({ question: QUESTION, limits });
  const finished = await dossier.finish(id);
  const events = await dossier.events(id);
  const of = <T extends (typeof events)[number]["type"]>(type: T) =>
    events.filter((event) => event.type === type) as Extract<(typeof events)[number], { type: T }>[];
  return { server, analyst, finished, events, of, path: of("node-started").map((event) => event.node) };
}

const REPORT = ["search", "rerank", "download", "summarize"];

it("accumulates the results of two rounds and shows the analyst all of them", async () => {
  const { of, analyst, finished, server, path } = await run([[call("alpha", "灯塔")], [call("beta", "Penrose"), call("alpha", "Tolmere")]]);
  expect(path).toEqual(["llm_decision", "optional_tool", "llm_decision", "optional_tool", "llm_decision", ...REPORT]);
  expect(of("loop-ended")).toMatchObject([{ reason: "sufficient", rounds: 2 }]);
  expect(of("round-ended").map(({ round, results, totalResults }) => [round, results, totalResults])).toEqual([
    [1, 1, 1],
    [2, 2, 3],
  ]);
  expect(analyst.views.map((view) => view.resultsBySource)).toEqual([{}, { alpha: 1 }, { alpha: 2, beta: 1 }]);
  expect(
    finished.report?.sources
      .filter((source) => source.kind === "tool")
      .map((source) => source.title)
      .sort(),
  ).toEqual(["alpha on Tolmere", "alpha on 灯塔", "beta on Penrose"]);
  expect(server.requests).toHaveLength(3);
});

it("stops at the cap without asking the analyst again", async () => {
  const { path, of, analyst } = await run([[call("alpha", "a")], [call("alpha", "b")], [call("alpha", "c")], [call("alpha", "d")]]);
  expect(path.filter((node) => node === "optional_tool")).toHaveLength(3);
  expect(path.slice(-5)).toEqual(["llm_decision", ...REPORT]);
  expect(of("loop-ended")).toMatchObject([{ reason: "cap", rounds: 3 }]);
  expect(analyst.views).toHaveLength(3);
});

it("makes no decision if the request allows no round", async () => {
  const { path, of, analyst } = await run([[call("alpha", "a")]], { optionalToolLoops: 0 });
  expect(path).toEqual(["llm_decision", ...REPORT]);
  expect(of("loop-ended")).toMatchObject([{ reason: "cap", rounds: 0 }]);
  expect(analyst.views).toHaveLength(0);
});

it("reserves the steps for the report if there are few", async () => {
  const { path, of, finished } = await run([[call("alpha", "a")], [call("alpha", "b")]], { steps: 7 });
  expect(path).toEqual(["llm_decision", "optional_tool", "llm_decision", ...REPORT]);
  expect(of("loop-ended")).toMatchObject([{ reason: "budget", rounds: 1 }]);
  expect(finished.status).toBe("succeeded");
});

it("answers a repeated call from its result and ends a loop of repeated calls", async () => {
  const { of, server } = await run([[call("alpha", "a")], [call("alpha", "a")], [call("alpha", "b")]]);
  expect(of("loop-ended")).toMatchObject([{ reason: "no_progress", rounds: 2 }]);
  expect(of("tool-ended").map(({ reused }) => reused)).toEqual([false, true]);
  expect(server.requests).toEqual(["/alpha?query=a"]);
});

it("makes equal calls of one round once", async () => {
  const { of, server } = await run([[call("alpha", "a"), call("alpha", "a"), call("alpha", "a")]]);
  expect(server.requests).toEqual(["/alpha?query=a"]);
  expect(of("tool-ended").map(({ ok, reused }) => [ok, reused])).toEqual([
    [true, false],
    [true, true],
    [true, true],
  ]);
});

it("sends an unknown tool name back as an observation that lists the existing tools", async () => {
  const { analyst } = await run([[call("gamma", "a")]]);
  expect(analyst.views[1]?.outcomes[0]).toMatchObject({ ok: false, failure: "unknown_tool" });
  expect(analyst.views[1]?.outcomes[0]?.observation).toContain("alpha, beta, barren, broken, slow");
});

it("stops a tool after its own timeout without delaying the others", async () => {
  const { of, finished } = await run([[call("slow", "a"), call("alpha", "b")]]);
  const ends = of("tool-ended").map(({ tool, ok, error }) => [tool, { ok, code: error?.code }]);
  expect(Object.fromEntries(ends)).toEqual({ alpha: { ok: true }, slow: { ok: false, code: "timeout" } });
  expect(finished.report?.ledger.find((entry) => entry.source === "slow")?.failure).toBe("timeout");
});

it("makes the calls of one round at the same time", async () => {
  const { server } = await run([[call("alpha", "a"), call("beta", "b"), call("alpha", "c")]], {}, meeting(3));
  expect(server.peak()).toBe(3);
});

it("takes a decision on an equal view from the cache, and says so", async () => {
  const server = await startTools();
  const analyst = scriptedAnalyst([[call("alpha", "a")]]);
  const dossier = await openDossier({ parts: { analyst, tools: [httpTool("alpha", server.url)] } });
  for (const cached of [false, true]) {
    const { id } = await dossier.start({ question: QUESTION });
    await dossier.finish(id);
    const decisions = (await dossier.events(id)).filter((event) => event.type === "decision");
    expect(decisions.map((event) => event.cached)).toEqual([cached, cached]);
  }
  expect(analyst.views).toHaveLength(2);
});
