import { expect, it } from "vitest";
import { bestPlaces } from "../../../src/nodes/agent/read-found.ts";
import { analyzeText } from "../../../src/ranking/analyze-text.ts";
import { queryTerms } from "../../../src/ranking/query-terms.ts";
import { finish } from "../../../src/util/turns.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
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
  expect(run).toMatchObject({ status: "succeeded", usage: { modelCalls: 2, downloads: 6 } });
  expect(shown).toContain(fact);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([fact]);
  expect(run.report?.sources.filter(({ status }) => status === "read")).toHaveLength(6);
  expect(run.report?.ledger.filter(({ what }) => what === "download")).toHaveLength(6);
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
  await agent.ask("What is the shipyard of Aldermoor?", { threadId: "T" });
  const { run } = await agent.ask("And its workers?", { threadId: "T", depth: "quick" });
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["It has 312 workers."]);
  expect(run.report?.ledger.map(({ what, outcome }) => `${what} ${outcome}`)).toContain("tool reused");
  expect(run.usage.downloads).toBe(2);
  await expectReplay({ dossier: agent.dossier, run });
});

it("at other depths a search reads nothing by itself, and a quick one reads within the downloads", async () => {
  const services = await startSearchServices(() => [0, 1, 2].map(pageOf("It has 312 workers.", "Shipyard of Aldermoor")));
  const script = (request: SeenRequest) =>
    offeredTools(request).includes("search") && contentsOf(request, "tool").length === 0
      ? say.toolCalls([{ name: "search", arguments: { query: "shipyard Aldermoor" } }])
      : say.text("I do not know.");
  const agent = await startAgent(script, { environment: { SOURCES: "searxng", ...services.environment } });
  const ask = async (more: object) => (await agent.ask("What is the shipyard of Aldermoor?", more)).run.usage.downloads;
  expect(await ask({ depth: "standard" })).toBe(0);
  expect(await ask({})).toBe(0);
  expect(await ask({ depth: "quick", limits: { downloads: 2 } })).toBe(2);
});

it("the best places of a document are around the sentences with the rarest words of the question, in their order", () => {
  const sentences = Array.from({ length: 400 }, (_, at) => `Sentence ${at} is about the harbour of Aldermoor.`);
  sentences[300] = "The crane of Aldermoor lifts 40 tonnes.";
  sentences[100] = "A crane stands in Tolmere.";
  const text = sentences.join(" ");
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const places = finish(bestPlaces(text, analyzeText({ text, blocks }), queryTerms("crane tonnes Aldermoor")));
  expect(places).toMatch(/A crane stands in Tolmere\..* \[…\] .*lifts 40 tonnes\./s);
  expect(places.length).toBeLessThanOrEqual(1_600);
  expect(finish(bestPlaces(text, analyzeText({ text, blocks }), queryTerms("起重机")))).toBe(text.slice(0, 800).trim());
  expect(finish(bestPlaces("", analyzeText({ text: "", blocks: [] }), ["crane"]))).toBe("");
});
