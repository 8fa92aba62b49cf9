import { expect, it, onTestFinished } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import type { ResearchRequest } from "../../src/domain/request.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const FACTS = [
  "The lighthouse of Aldermoor was first lit in 1874. 奥尔德穆尔灯塔于1874年首次点亮。",
  "The keepers of the lighthouse of Aldermoor earned 12 crowns. 奥尔德穆尔灯塔的看守人挣12克朗。",
  "The lighthouse of Aldermoor has 25,000 visitors. 奥尔德穆尔灯塔有25000名游客。",
];
const FIRST = "When was the lighthouse of Aldermoor first lit? 奥尔德穆尔灯塔何时首次点亮？";

/** A web search that finds three pages for every query, and a model that quotes the fact with a word of the question. */
async function openThread(pageDate = "") {
  const web = await startLoopback((request, response) => {
    const results = FACTS.map((content, at) => ({
      url: `${web.url}/page/${at}`,
      title: `Lighthouse of Aldermoor 奥尔德穆尔灯塔 ${at}`,
      content,
    }));
    if (request.url?.startsWith("/search") === true)
      return void response.setHeader("content-type", "application/json").end(JSON.stringify({ results, unresponsive_engines: [] }));
    const { title = "", content = "" } = results[Number(request.url?.at(-1))] ?? {};
    const meta = pageDate && `<meta property="article:published_time" content="${pageDate}T00:00:00Z">`;
    const html = `<html><head><title>${title}</title>${meta}</head><body><article><p>${content}</p></article></body></html>`;
    response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  onTestFinished(() => web.close());
  const environment = { SOURCES: "searxng", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host };
  const answer = (request: SeenRequest) => {
    const user = contentsOf(request, "user").at(-1) ?? "";
    const shown = contentsOf(request, request.body.tools === undefined ? "user" : "tool").join("\n");
    const fact = /visitors|游客/.test(user.slice(Math.max(0, user.lastIndexOf("Question:")))) ? (FACTS[2] ?? "") : (FACTS[0] ?? "");
    const quote = fact.slice(0, fact.indexOf(".") + 1);
    const ids = shown.slice(0, Math.max(0, shown.indexOf(quote))).matchAll(/\b[PS]\d+\b/g);
    return say.text(`${quote} [${[...ids].at(-1)?.[0]}: ${JSON.stringify(quote)}]`);
  };
  const script = (request: SeenRequest, index: number) =>
    request.body.tools !== undefined && contentsOf(request, "tool").length === 0
      ? say.toolCalls([{ name: "search", arguments: { queries: [{ text: `lighthouse Aldermoor 灯塔 ${index}` }] } }])
      : answer(request);
  const { dossier } = await openWithModel(script, { environment, parts: { tools: [] } });
  async function ask(question: string, more: Partial<ResearchRequest> = {}) {
    const { id } = await dossier.start({ question, threadId: "T", ...more });
    const run = await dossier.finish(id);
    expect(run.error).toBeNull();
    await expectReplay({ dossier, run });
    return { id, run, report: run.report as Report, downloads: run.usage.downloads };
  }
  return { dossier, ask };
}

const outcomes = ({ ledger }: Report): string[] => ledger.flatMap(({ what, outcome }) => (what === "download" ? [outcome] : []));
const read = ({ sources }: Report) => sources.filter(({ status }) => status === "read");

it.each([
  ["How many visitors does it have?", { limits: { downloads: 0 } }],
  ["它有多少游客？", { graph: "agent", limits: { downloads: 0 } }],
  ["How many visitors does the lighthouse of Aldermoor have?", { graph: "research", limits: { downloads: 0, modelCalls: 0 } }],
] as const)("what an earlier run of the thread read and did not cite costs no download: %s %j", async (question, more) => {
  const { ask } = await openThread();
  const first = await ask(FIRST);
  expect([first.downloads, first.report.citations.length]).toEqual([3, 1]);
  const { report, downloads } = await ask(question, more);
  expect(downloads).toBe(0);
  expect(outcomes(report)).toEqual(["reused", "reused", "reused"]);
  expect(report.citations.map(({ quote }) => quote).join()).toContain("25,000 visitors");
  expect(read(report).map(({ readAt }) => readAt !== undefined)).toEqual([true, true, true]);
});

it("what an agent or a todo of a plan read is of the thread, too", async () => {
  for (const graph of ["agent", "research"] as const) {
    const { ask } = await openThread();
    const first = await ask("When was the lighthouse of Aldermoor first lit?", {
      graph,
      ...(graph === "research" && { limits: { modelCalls: 0 } }),
    });
    expect(read(first.report)).toHaveLength(3);
    expect(outcomes((await ask("它有多少游客？", { limits: { downloads: 0 } })).report)).toEqual(["reused", "reused", "reused"]);
  }
});

it("is read again if its run is gone or the user gives its address", async () => {
  const { dossier, ask } = await openThread();
  const first = await ask(FIRST);
  const cited = new Set(first.report.citations.map(({ sourceId }) => sourceId));
  const url = first.report.sources.find(({ id }) => !cited.has(id))?.url ?? "";
  const given = await ask("它有多少游客？", { urls: [url] });
  expect(given.report.ledger.filter(({ target }) => target === url)).toMatchObject([{ what: "download", outcome: "found" }]);
  for (const { id } of [first, given]) await dossier.runs.delete(TENANT, id);
  expect(outcomes((await ask("奥尔德穆尔灯塔有多少游客？")).report)).toEqual(["found", "found", "found"]);
});

it("an agent does not reuse what is too old for it", async () => {
  const { ask } = await openThread("2010-05-01");
  expect((await ask(FIRST, { graph: "agent" })).downloads).toBe(3);
  const { report, downloads } = await ask("它有多少游客？", { graph: "agent", since: "2024-01-01" });
  expect(downloads).toBe(0);
  expect(report.ledger.filter(({ failure }) => failure === "before_since")).toHaveLength(3);
  expect(read(report)).toEqual([]);
});
