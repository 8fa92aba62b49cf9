import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { type FoundItem, startSearchServices } from "../../fakes/search-services.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";

const FILLER = "This sentence is about the weather, the sea and the way to the harbour. ".repeat(60);

/** Nine pages whose first lines do not have the figure. */
const pageOf =
  (fact: string, name: string) =>
  (at: number): FoundItem => ({
    title: `${name} ${at}`,
    text: at === 0 ? `${name}. ${FILLER} ${fact} ${FILLER}` : `${name} ${at}. ${FILLER}`,
  });

it.each([
  ["How many workers does the shipyard of Aldermoor have?", "The shipyard of Aldermoor has 312 workers.", "Shipyard of Aldermoor"],
  ["奥尔德穆尔造船厂有多少工人？", "奥尔德穆尔造船厂有三百一十二名工人。", "奥尔德穆尔造船厂"],
])("a quick agent's only search reads the best documents, so that its next call answers with quotes: %s", async (question, fact, name) => {
  const pages = Array.from({ length: 9 }, (_, at) => pageOf(fact, name)(at));
  const services = await startSearchServices((service) => (service === "web" ? pages.map((page) => ({ ...page })) : []));
  let shown = "";
  const script = (request: SeenRequest) => {
    const results = contentsOf(request, "tool");
    if (results.length === 0) return say.toolCalls([{ name: "search", arguments: { queries: [{ text: name }] } }]);
    shown = results.join("\n");
    const id = [...shown.slice(0, shown.indexOf(fact)).matchAll(/\[(S\d+)\]/g)].at(-1)?.[1];
    return say.text(`${fact} [${id}: ${JSON.stringify(fact)}]`);
  };
  const agent = await startAgent(script, { environment: { SOURCES: "searxng", ...services.environment } });
  const { run } = await agent.ask(question, { depth: "quick" });
  // It answered by itself, in a call that offered it tools.
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "answered" }, usage: { modelCalls: 2, downloads: 6 } });
  expect(agent.server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, true]);
  expect(shown).toContain(fact);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([fact]);
  expect(run.report?.sources.filter(({ status }) => status === "read")).toHaveLength(6);
  expect(run.report?.ledger.filter(({ what }) => what === "download")).toHaveLength(6);
  expectNoRefusal(agent);
  await expectReplay({ dossier: agent.dossier, run });
});

it("a quick agent may search in two of its three calls, and says that it was cut short if it would search on", async () => {
  const [question, query] = ["谁画了奥尔德穆尔港？", "港口 油画"];
  const services = await startSearchServices(() => [0, 1].map(pageOf("Isolde Farrow painted it.", query)));
  const script = ({ body }: SeenRequest, index: number) =>
    body.tools === undefined
      ? say.text("I found no painter.")
      : say.toolCalls([{ name: "search", arguments: { queries: [{ text: `${query} ${index}` }] } }]);
  const agent = await startAgent(script, { environment: { SOURCES: "searxng", ...services.environment } });
  const { run, of } = await agent.ask(question, { depth: "quick" });
  expect(run).toMatchObject({
    termination: { reason: "model_call_cap", detail: "the gathering was cut short" },
    usage: { modelCalls: 3 },
  });
  expect(of("tool-ended")).toHaveLength(2);
  expectNoRefusal(agent);
  await expectReplay({ dossier: agent.dossier, run });
});

it("reads also what the same search of an earlier run of the thread found", async () => {
  const services = await startSearchServices(() => [0, 1].map(pageOf("It has 312 workers.", "Shipyard of Aldermoor")));
  const script = (request: SeenRequest) =>
    contentsOf(request, "tool").length === 0
      ? say.toolCalls([{ name: "search", arguments: { queries: [{ text: "shipyard Aldermoor" }] } }])
      : say.text(`It has 312 workers. [S1: "It has 312 workers."]`);
  const agent = await startAgent(script, { environment: { SOURCES: "searxng", ...services.environment } });
  expect((await agent.ask("What is the shipyard of Aldermoor?", { threadId: "T" })).run.usage.downloads).toBe(2);
  const { run } = await agent.ask("And its workers?", { threadId: "T", depth: "quick" });
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["It has 312 workers."]);
  expect(run.report?.ledger.map(({ what, outcome }) => `${what} ${outcome}`)).toContain("tool reused");
  // The first run read both pages and cited one; the thread keeps both.
  expect(run.usage.downloads).toBe(0);
  expect(run.report?.ledger.flatMap(({ what, outcome }) => (what === "download" ? [outcome] : [])).toSorted()).toEqual([
    "reused",
    "reused",
  ]);
  expect(run.report?.sources.map(({ readAt }) => readAt !== undefined)).toEqual([true, true]);
  await expectReplay({ dossier: agent.dossier, run });
});
