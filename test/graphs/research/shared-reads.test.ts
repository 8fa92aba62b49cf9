import { expect, it, onTestFinished } from "vitest";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import { startLoopback } from "../../fakes/loopback-server.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { roleScript } from "../../fakes/model-server/role-script.ts";
import { BUILDER, BUILT, done, GRANITE, plan, ROLES, WALL, YEAR, YEAR_QUOTE } from "../../fakes/scripted-roles.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { turns } from "../../helpers/turns.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { statuses } from "./ask-research.ts";
import { expectReplay, researchByModel } from "./roles-under-test.ts";

const FOUR = [BUILDER, WALL, YEAR, `${YEAR}（再查）`].map((description, at) => ({ id: `T${at + 1}`, description }));
const html = (text: string): string =>
  `<html><head><title>Aldermoor 灯塔</title></head><body><article><p>${text}</p></article></body></html>`;

it("todos that run side by side read what the user gave once, and all of them use it", async () => {
  const web = await startLoopback(async (request, response) => {
    await turns(50);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(html(request.url === "/wall" ? GRANITE : `${BUILT} ${YEAR_QUOTE}`));
  });
  onTestFinished(() => web.close());
  const script = roleScript({ ...ROLES, "planner-response": [plan(FOUR)] });
  const environment = { ALLOWED_PRIVATE_HOSTS: new URL(web.url).host };
  const { dossier } = await openWithModel(script, { parts: { tools: [] }, corpus: {}, environment });
  const documents = [{ name: "灯塔.txt", mediaType: "text/plain", bytes: new TextEncoder().encode(`${YEAR_QUOTE}${BUILT}`) }];
  const request = { question: `${BUILDER} ${WALL} ${YEAR}`, graph: "research", urls: [`${web.url}/wall`, `${web.url}/built`] };
  const { id } = await dossier.runs.start(TENANT, ResearchRequestSchema.parse({ ...request, limits: { downloads: 3 } }), { documents });
  const run = await dossier.finish(id);
  expect(run.error).toBeNull();
  expect(statuses(run.todos)).toBe("T1 completed, T2 completed, T3 completed, T4 completed");
  expect(web.requests.toSorted()).toEqual(["/built", "/wall"]);
  expect(run.usage.downloads).toBe(3);
  const read = run.report?.ledger.filter(({ what }) => what === "download") ?? [];
  const counts = Map.groupBy(read, ({ source, outcome }) => `${source} ${outcome}`);
  expect([...counts].map(([name, { length }]) => `${name}: ${length}`).toSorted()).toEqual([
    "documents found: 1",
    "documents reused: 3",
    "urls found: 2",
    "urls reused: 6",
  ]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(expect.arrayContaining([BUILT, GRANITE, YEAR_QUOTE]));
  for (const source of run.report?.sources.filter(({ foundBy }) => foundBy === "urls") ?? []) expect(source.title).toBe("Aldermoor 灯塔");
  await expectReplay({ dossier, run });
});

/** A search that writes the address of the same page otherwise for each query, and counts how often the page is asked for. */
async function startSpellings() {
  const spellings = ["/灯塔", "/%E7%81%AF%E5%A1%94/", "/灯塔?utm_source=news", "/灯塔#history", "/灯塔/?utm_medium=x#top"];
  let queries = 0;
  const web = await startLoopback(async (request, response) => {
    if (request.url?.startsWith("/search")) {
      response.setHeader("content-type", "application/json");
      const url = `${web.url}${spellings[queries++ % spellings.length]}`;
      const title = "Aldermoor 灯塔 lighthouse harbour";
      return void response.end(
        JSON.stringify({ results: [{ url, title, content: `${title} ${BUILT} ${GRANITE}` }], unresponsive_engines: [] }),
      );
    }
    await turns(50);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(html(`${BUILT} ${GRANITE} ${YEAR_QUOTE}`));
  });
  onTestFinished(() => web.close());
  const environment = { SOURCES: "searxng", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host };
  return { environment, pages: () => web.requests.filter((path) => !path.startsWith("/search")) };
}

it("todos side by side, later todos and later rounds read a page once, however the search writes its address", async () => {
  const { environment, pages } = await startSpellings();
  const todos = [...FOUR, { id: "T5", description: BUILDER, dependsOn: ["T1"] }];
  const again = say.component("executor-response", {
    ...{ taskCompleted: false, shouldContinue: true, nextAction: "continue", summary: "", nextQuery: "Aldermoor again" },
  });
  let rounds = 0;
  const executor = () => (rounds++ < 2 ? again : done());
  const asked = await researchByModel(
    { "planner-response": [plan(todos)], "executor-response": executor },
    { question: `${BUILDER} ${WALL} ${YEAR}` },
    { environment, corpus: {} },
  );
  expect(asked.run.error).toBeNull();
  expect(asked.of("source-found").length).toBeGreaterThan(3);
  expect(pages()).toHaveLength(1);
  expect(asked.run.usage.downloads).toBe(1);
  expect(new Set(asked.run.report?.sources.flatMap(({ contentHash }) => contentHash ?? [])).size).toBe(1);
  await expectReplay(asked);
});
