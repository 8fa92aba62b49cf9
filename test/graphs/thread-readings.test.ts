import { expect, it, onTestFinished } from "vitest";
import { replay } from "../../src/compose.ts";
import type { ResearchRequest } from "../../src/domain/request.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { openWithModel } from "../helpers/with-model.ts";

const LAYOFFS = "The shipyard of Aldermoor will close its north dock and lay off 312 workers by May.";
const DOCK = "奥尔德穆尔造船厂的北船坞建于1931年，现有四台起重机。";
const FIRST = "Will the shipyard of Aldermoor close its north dock? 奥尔德穆尔造船厂的北船坞会关闭吗？";

/** A web search that finds one page for the first question only, and the page. */
async function openThread() {
  let isOver = false;
  const web = await startLoopback((request, response) => {
    const isSearch = request.url?.startsWith("/search") === true;
    response.setHeader("content-type", isSearch ? "application/json" : "text/html; charset=utf-8");
    const results = isOver ? [] : [{ url: `${web.url}/dock`, title: "Shipyard of Aldermoor closes north dock 北船坞", content: LAYOFFS }];
    const page = `<html><head><title>The north dock 北船坞</title></head><body><article><p>${LAYOFFS}</p><p>${DOCK}</p></article></body></html>`;
    response.end(isSearch ? JSON.stringify({ results, unresponsive_engines: [] }) : page);
  });
  onTestFinished(() => web.close());
  const shown: string[] = [];
  const script = (request: SeenRequest) => {
    const said = contentsOf(request, "user").at(-1) ?? "";
    if (request.body.tools !== undefined) {
      const results = request.body.messages.filter(({ role }) => role === "tool").length;
      if (results === 0) return say.toolCalls([{ name: "search", arguments: { query: "shipyard Aldermoor workers" } }]);
      if (results === 1) return say.toolCalls([{ name: "read_document", arguments: { id: "S1" } }]);
      return say.text(`${LAYOFFS} [S1: "${LAYOFFS}"]`);
    }
    shown.push(said);
    const asked = said.slice(said.lastIndexOf("Question:"));
    const quote = /many|last/.test(asked) || asked.includes(FIRST) ? LAYOFFS : DOCK;
    const id = said.includes(quote) ? [...said.slice(0, said.indexOf(quote)).matchAll(/\bP\d+\b/g)].at(-1)?.[0] : undefined;
    return say.text(id === undefined ? "NO ANSWER: no passage says it" : `${quote} [${id}: "${quote}"]`);
  };
  const environment = { SOURCES: "searxng,corpus", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host };
  const { dossier } = await openWithModel(script, { environment, parts: { tools: [], clock: jumpingClock().now } });
  async function ask(question: string, more: Partial<ResearchRequest> = {}) {
    const { id } = await dossier.start({ question, threadId: "T", ...more });
    const run = await dossier.finish(id);
    isOver = true;
    expect(run.error).toBeNull();
    expect((await replay(await readRecording(await dossier.recordingLines(id)), { tools: [] })).difference).toBeNull();
    const downloads = run.report?.ledger.filter(({ what, target }) => what === "download" && target.endsWith("/dock")) ?? [];
    return { run, downloads, source: run.report?.sources.find(({ url }) => url.endsWith("/dock")), shown: shown.at(-1) ?? "" };
  }
  const pages = () => web.requests.filter((path) => path === "/dock").length;
  return { dossier, ask, pages };
}

it.each([
  ["And how many of them will be laid off?", LAYOFFS],
  ["那个北船坞有几台起重机？", DOCK],
])("a follow-up reads what the thread has cited from storage, before all else: %s", async (question, quote) => {
  const { ask, pages } = await openThread();
  const first = await ask(FIRST);
  expect([first.run.usage.downloads > 0, pages(), first.source?.readAt]).toEqual([true, 1, undefined]);
  const { run, downloads, source, shown } = await ask(question);
  expect(run.report?.citations.map((one) => one.quote)).toEqual([quote]);
  expect(pages()).toBe(1);
  const day = "2026-11-20";
  expect(downloads).toMatchObject([
    { source: "searxng", outcome: "reused", detail: `An earlier run of this thread read it on ${day}; it was not read again.` },
  ]);
  expect(source).toMatchObject({ status: "read", foundBy: "searxng", readAt: expect.stringContaining(day) });
  expect(run.report?.sources[0]?.id).toBe(source?.id);
  // The model that writes knows how old the text is.
  expect(shown).toContain(`Read on: ${day}`);
  const again = await ask(question);
  expect([pages(), again.source?.readAt]).toEqual([1, source?.readAt]);
});

it("what is out of scope is left out", async () => {
  const { ask } = await openThread();
  await ask(FIRST);
  const scoped = await ask("And how many of them will be laid off?", { sources: ["corpus"] });
  expect([scoped.downloads, scoped.source]).toEqual([[], undefined]);
});
