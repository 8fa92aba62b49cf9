import { expect, it, onTestFinished } from "vitest";
import type { ResearchRequest } from "../../src/domain/request.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, rewritesQueries, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const FACT = "The shipyard of Aldermoor will lay off 312 workers by May.";
const decides = (request: SeenRequest): boolean => offeredTools(request).join() === "search" && !rewritesQueries(request);

/** A web search that finds a page for whatever it is asked, and PubMed, which finds nothing. Both log their queries. */
async function startSearch() {
  const asked = { web: [] as string[], pubmed: [] as string[] };
  const server = await startLoopback((request, response) => {
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    const json = (value: unknown) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/page") {
      const html = `<html><head><title>Aldermoor</title></head><body><article><p>${FACT}</p></article></body></html>`;
      return void response.writeHead(200, { "content-type": "text/html" }).end(html);
    }
    const words = url.searchParams.get("q") ?? url.searchParams.get("term") ?? "";
    if (url.pathname !== "/search") {
      asked.pubmed.push(words);
      return void json({ esearchresult: { count: "0", idlist: [] } });
    }
    asked.web.push(words);
    json({ results: [{ title: `Aldermoor: ${words}`, url: `${url.origin}/page`, content: `${FACT} ${words}` }] });
  });
  onTestFinished(() => server.close());
  const environment = { SEARXNG_BASE_URL: server.url, PUBMED_BASE_URL: server.url, ALLOWED_PRIVATE_HOSTS: new URL(server.url).host };
  return { asked, environment };
}

async function open(sources: string, decision: Behavior) {
  const { asked, environment } = await startSearch();
  const script = (request: SeenRequest): Behavior | undefined => {
    if (decides(request)) return decision;
    return rewritesQueries(request) ? say.text("No other.") : writes(request);
  };
  const { model, dossier } = await openWithModel(script, { environment: { SOURCES: sources, ...environment }, parts: { tools: [] } });
  async function ask(question: string, more: Partial<ResearchRequest> = {}) {
    const before = { web: asked.web.length, requests: model.requests.length };
    const { id } = await dossier.start({ question, ...more });
    const run = await dossier.finish(id);
    await expectReplay({ dossier, run });
    const requests = model.requests.slice(before.requests);
    return { run, web: asked.web.slice(before.web), decisions: requests.filter(decides), requests };
  }
  return { ask, asked };
}

function writes(request: SeenRequest): Behavior {
  const id = /\bP\d+\b(?=[\s\S]{0,400}lay off 312)/.exec(contentsOf(request, "user").at(-1) ?? "")?.[0];
  return say.text(id === undefined ? "NO ANSWER: nothing says it" : `${FACT} [${id}: "${FACT}"]`);
}

const search = (...queries: readonly object[]) => say.toolCalls([{ name: "search", arguments: { queries } as never }]);

it.each([
  ["And how many of them will be laid off?", "shipyard Aldermoor layoffs"],
  ["那么有多少人会被裁员？", "奥尔德穆尔造船厂 裁员"],
])("a model writes the queries of a follow-up also where no tool is offered: %s", async (question, text) => {
  const { ask } = await open("searxng", search({ text }));
  const first = await ask("Will the shipyard of Aldermoor close?", { threadId: "T" });
  // A question that can stand alone is not worth a call.
  expect([first.decisions.length, first.web]).toEqual([0, ["shipyard Aldermoor close"]]);
  const next = await ask(question, { threadId: "T", depth: "quick" });
  expect(next.web).toEqual([text]);
  expect(next.decisions).toHaveLength(1);
  expect(contentsOf(next.decisions[0]!, "user").join()).toContain("Will the shipyard of Aldermoor close?");
  expect(next.run).toMatchObject({ status: "succeeded", usage: { modelCalls: 2 }, termination: { reason: "completed" } });
});

it.each([
  ["pubmed", "锂电池回收率是多少？", 1],
  ["searxng,pubmed", "How much of a lithium battery is recycled?", 0],
])("and where a source has texts in other languages only: %s, %s", async (sources, question, calls) => {
  const { ask, asked } = await open(sources, search({ text: "lithium battery recycling rate", language: "en" }));
  const { decisions } = await ask(question);
  expect(decisions).toHaveLength(calls);
  if (calls > 0) expect(asked.pubmed[0]).toContain("lithium");
});

it("leaves the call that writes, and searches for the words of the question then", async () => {
  const { ask } = await open("searxng", search({ text: "never" }));
  await ask("Will the shipyard of Aldermoor close?", { threadId: "T" });
  const { run, decisions, web } = await ask("How many workers of Aldermoor are laid off?", { threadId: "T", limits: { modelCalls: 1 } });
  expect([decisions.length, web]).toEqual([0, ["many workers Aldermoor laid"]]);
  expect(run).toMatchObject({ status: "succeeded", usage: { modelCalls: 1 }, termination: { reason: "completed" } });
  expect(run.report?.citations).toHaveLength(1);
});

it("asks a source with texts in one language only what is in it, if there is such a query", async () => {
  const both = [{ text: "锂电池 回收率" }, { text: "lithium battery recycling", language: "en-US" }, { text: "recyclage", language: "fr" }];
  const { ask, asked } = await open("searxng,pubmed", search(...both));
  const { web } = await ask("锂电池回收率是多少？");
  expect(web).toEqual(["锂电池 回收率", "lithium battery recycling", "recyclage"]);
  expect(new Set(asked.pubmed.map((words) => /lithium/.test(words)))).toEqual(new Set([true]));
  const only = await open("pubmed", search({ text: "锂电池 回收率" }));
  await only.ask("锂电池回收率是多少？");
  expect(only.asked.pubmed.join()).toContain("锂电池");
});
