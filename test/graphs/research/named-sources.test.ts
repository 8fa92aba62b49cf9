import { expect, it, onTestFinished } from "vitest";
import type { ResearchRequest } from "../../../src/domain/request.ts";
import { startLoopback } from "../../fakes/loopback-server.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { askModel } from "../../helpers/with-model.ts";
import { MODELS } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

const RETOLD = "Aldermoor handled 1,874 tonnes of cargo in 2024, says its annual report.";
const TOLD = "The harbour of Aldermoor handled 1,874 tonnes of cargo in 2024.";
const ZH = "奥尔德港2024年的吞吐量为1874吨。";
const QUESTION = "How much cargo did Aldermoor handle in 2024? 奥尔德港的吞吐量是多少？";

const page = (title: string, body: string): string =>
  `<html><head><meta charset="utf-8"><title>${title}</title></head><body><nav><a href="/menu">Menu of the harbour news</a></nav><article><h1>${title}</h1><p>${body}</p></article></body></html>`;

/** A news page that retells a report, which it links beside others, and the report. */
async function startWeb(links: (base: string) => string) {
  const web = await startLoopback((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/search") {
      response.setHeader("content-type", "application/json");
      const results = [{ url: `${web.url}/news`, title: "Cargo of Aldermoor 2024", content: `${RETOLD} 奥尔德港吞吐量` }];
      return void response.end(JSON.stringify({ results, unresponsive_engines: [] }));
    }
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pathname === "/news" ? page("Harbour news", `${RETOLD} ${links(web.url)}`) : page("Annual report 2024", `${TOLD} ${ZH}`));
  });
  onTestFinished(() => web.close());
  return web;
}

const lastSaid = (request: SeenRequest): string => contentsOf(request, "user").at(-1) ?? "";
const FENCED = /<data (P\d+) (\w+)>\n([\s\S]*?)\n<\/data \2>/g;

/** Notes both sentences where they are shown, and names the links whose words are `named`. */
function readerSays(request: SeenRequest, named: readonly string[]) {
  const said = lastSaid(request);
  const notes = [...said.matchAll(FENCED)].flatMap(([, id, , text = ""]) =>
    [RETOLD, TOLD, ZH].flatMap((fact) => (text.includes(fact) ? [`- ${fact} [${id}: "${fact}"]`] : [])),
  );
  const ids = named.flatMap((words) => new RegExp(`^(L\\d+): ${RegExp.escape(words)} \\(`, "m").exec(said)?.[1] ?? []);
  return say.text([...notes, ...(ids.length > 0 ? [`SOURCES: ${ids.join(", ")}`] : [])].join("\n") || "NO ANSWER: nothing");
}

async function ask(links: (base: string) => string, named: readonly string[], request: Partial<ResearchRequest> = {}) {
  const web = await startWeb(links);
  const told: string[] = [];
  let rounds = 0;
  const asked = await askModel(
    (seen) => {
      const role = String(seen.body.model);
      if (role === "planner")
        return say.component("planner-response", {
          ...{ needsMorePlanning: false, question: null, reasoning: "" },
          todos: [{ id: "T1", description: QUESTION }],
        });
      if (role === "reader") return readerSays(seen, named);
      if (role === "executor") {
        told.push(lastSaid(seen));
        const more = rounds++ === 0;
        return say.component("executor-response", {
          ...{ taskCompleted: !more, shouldContinue: more, nextAction: more ? "continue" : "complete" },
          ...{ summary: "", nextQuery: more ? "Aldermoor annual report" : null },
        });
      }
      if (role === "verifier") return say.component("verifier-response", { allCompleted: true, overallFeedback: "", tasks: [] });
      const shown = [...lastSaid(seen).matchAll(FENCED)].flatMap(([, id, , text = ""]) =>
        text.includes(TOLD) ? [`${TOLD} [${id}: "${TOLD}"]`] : [],
      );
      return say.text([shown[0] ?? "NO ANSWER: nothing", "ANSWERS: fully"].join("\n\n"));
    },
    { question: QUESTION, graph: "research", depth: "deep", models: MODELS, ...request },
    {
      environment: { SOURCES: "searxng", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host },
      parts: { tools: [] },
      corpus: {},
    },
  );
  const ledger = asked.run.report?.ledger ?? [];
  return { ...asked, web, told, downloads: ledger.filter(({ what }) => what === "download") };
}

it("a deep run follows the link that a document names as its source, cites what stands there, and replays", async () => {
  const asked = await ask(
    () => 'See the <a href="/report#page-3">annual report</a> or <a href="/others">other news</a>.',
    ["annual report"],
  );
  const { run, web, told, downloads, of } = asked;
  expect([run.error, asked.model.unexpected, asked.model.refused]).toEqual([null, [], []]);
  expect(web.requests.filter((path) => !path.startsWith("/search"))).toEqual(["/news", "/report"]);
  expect(downloads.map(({ source, target, outcome }) => [source, new URL(target).pathname, outcome])).toContainEqual([
    "links",
    "/report",
    "found",
  ]);
  expect(of("notes-taken").map(({ notes, links }) => [notes, links])).toContainEqual([1, 1]);
  expect(of("source-found").map(({ source }) => source)).toContainEqual(
    expect.objectContaining({ foundBy: "links", title: "annual report" }),
  );
  expect(run.report?.sources).toContainEqual(expect.objectContaining({ foundBy: "links", title: "Annual report 2024", status: "read" }));
  expect(run.report?.citations.map(({ quote }) => quote)).toContain(TOLD);
  // Who judges the todo knows that there is more to read, and no model is shown an address.
  expect(told[0]).toContain("- annual report");
  expect(told[1]).toMatch(/another round reads them:\nnone/);
  for (const request of asked.model.requests) expect(contentsOf(request, "user").join("\n")).not.toContain(`${web.url}/report`);
  await expectReplay(asked);
});

it("follows only links that stand in the document, and guards them as all others", async () => {
  const asked = await ask(
    () =>
      '来源：<a href="http://127.0.0.1:1/secret">港口年报</a>、<a href="javascript:alert(1)">script</a>、<a href="file:///etc/passwd">file</a>。',
    ["港口年报", "script", "file", "Menu of the harbour news"],
  );
  const { run, web, downloads } = asked;
  expect(run.error).toBeNull();
  expect(web.requests.filter((path) => !path.startsWith("/search"))).toEqual(["/news"]);
  expect(downloads.filter(({ source }) => source === "links").map(({ failure }) => failure)).toEqual(["forbidden_address"]);
  await expectReplay(asked);
});

it("offers no links to a run without a download left", async () => {
  const asked = await ask(() => 'See the <a href="/report">annual report</a>.', ["annual report"], { limits: { downloads: 1 } });
  expect(asked.run.error).toBeNull();
  expect(asked.web.requests).not.toContain("/report");
  const [shown = ""] = asked.model.requests.filter(({ body }) => body.model === "reader").map(lastSaid);
  expect(shown).toContain("Links in the passages:\nnone");
  await expectReplay(asked);
});
