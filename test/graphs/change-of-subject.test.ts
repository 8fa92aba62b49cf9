import { expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const SUBJECTS = {
  lamp: { name: "lamp", sentence: (i: number) => `The visitors of the lamp tower in district ${i} were ${100 + i} people.` },
  ethanol: { name: "ethanol", sentence: (i: number) => `The boiling point of ethanol in sample ${i} was found at 7${i} degrees.` },
  桥: { name: "桥", sentence: (i: number) => `大桥第${i}段的长度是${100 + i}米，由本地公司建造。` },
};
type Subject = keyof typeof SUBJECTS;
const subjectOf = (text: string) => (Object.keys(SUBJECTS) as Subject[]).find((name) => text.includes(name));

/** A web search that finds ten pages about the subject that a query names, a model that cites all passages, and one thread. */
async function openThread({ writesQueries }: { readonly writesQueries: boolean }) {
  const web = await startLoopback((request, response) => {
    const url = new URL(request.url ?? "", web.url);
    const [, path, number = "0"] = /^\/page\/([^/]+)\/(\d)/.exec(decodeURIComponent(url.pathname)) ?? [];
    if (path !== undefined) {
      const { sentence } = SUBJECTS[path as Subject];
      const html = `<html><head><title>${path} ${number}</title></head><body><article><p>${sentence(Number(number))}</p></article></body></html>`;
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    }
    const subject = subjectOf(url.searchParams.get("q") ?? "");
    const pages = subject === undefined ? [] : Array.from({ length: 10 }, (_, i) => ({ i, ...SUBJECTS[subject] }));
    const results = pages.map(({ name, sentence, i }) => ({
      ...{ title: `${name} ${i}`, url: `${web.url}/page/${encodeURIComponent(name)}/${i}`, content: sentence(i) },
    }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
  });
  onTestFinished(() => web.close());
  const shown: string[] = [];
  const script = (request: SeenRequest): Behavior => {
    const said = contentsOf(request, "user").at(-1) ?? "";
    if (offeredTools(request).includes("search")) {
      const words = { lamp: "lamp visitors", ethanol: "ethanol boiling point", 桥: "大桥 长度" }[subjectOf(said) ?? "lamp"];
      return writesQueries ? say.toolCalls([{ name: "search", arguments: { query: words } }]) : say.text("Nothing to say.");
    }
    shown.push(said);
    const cited = [...said.matchAll(/<data (P\d+) [^>]*>\n(.+)/g)].map(([, id, text = ""]) => `${text} [${id}: "${text}"]`);
    return say.text(cited.join(" ") || "NO ANSWER: no passage says it");
  };
  const environment = { SOURCES: "searxng", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host };
  const { dossier } = await openWithModel(script, { environment, parts: { tools: [] } });
  return async (question: string) => {
    const { id } = await dossier.start({ question, threadId: "T", depth: "quick" });
    const run = await dossier.finish(id);
    await expectReplay({ dossier, run });
    const read = run.report?.sources.filter(({ status }) => status === "read") ?? [];
    return { run, read, old: read.filter(({ readAt }) => readAt !== undefined), shown: shown.at(-1) ?? "" };
  };
}

it.each([
  ["by the queries of the model", { writesQueries: true }],
  ["by the words of the question where the model writes no query", { writesQueries: false }],
])("documents of the thread are judged %s, and not by its earlier questions", async (_, model) => {
  const ask = await openThread(model);
  expect((await ask("How many visitors did the lamp receive?")).read).toHaveLength(6);
  if (model.writesQueries) {
    // Documents of the thread count as documents of the depth, and take half of its places at most.
    const { read, old, run } = await ask("And in which district did the lamp receive most visitors?");
    expect([read.length, old.length, run.usage.downloads]).toEqual([6, 3, 3]);
  }
  for (const [question, subject] of [
    ["At which boiling point does ethanol become steam?", "ethanol"],
    ["这座桥的长度是多少？", "桥"],
  ] as const) {
    const { run, read, old, shown } = await ask(question);
    expect([run.termination?.reason, read.length, old]).toEqual(["completed", 6, []]);
    expect(read.every(({ title }) => title.startsWith(subject))).toBe(true);
    expect(subjectOf(shown.slice(0, shown.lastIndexOf("Question:")))).toBe(subject);
  }
});
