import { expect, it, onTestFinished } from "vitest";
import { estimateTokens } from "../../../src/domain/chat.ts";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { deepScript, factOf, HARBOURS, MODELS, PAGES, searchAnswer } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

const QUESTION = "Compare the cargo of the eight harbours from 2010 to 2019. 比较八个港口的吞吐量。";

async function openWorld() {
  const web = await startLoopback((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/search") {
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify(searchAnswer(searchParams.get("q") ?? "", web.url)));
    }
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(PAGES.find(({ path }) => path === pathname)?.html ?? "");
  });
  onTestFinished(() => web.close());
  const environment = {
    ...{ SOURCES: "searxng", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host, MODEL_CONTEXT_TOKENS: "32000" },
  };
  return { web, ...(await openWithModel(deepScript(), { environment, parts: { tools: [] }, corpus: {} })) };
}

it("a deep run of eight todos over 80 documents reads most of them alone, writes once, and costs what was estimated", async () => {
  const { web, dossier, model } = await openWorld();
  const request = { question: QUESTION, graph: "research", depth: "deep", models: MODELS, language: "en" } as const;
  const estimate = await dossier.runs.estimate(ResearchRequestSchema.parse(request));
  const { id } = await dossier.start(request);
  const run = await dossier.finish(id);
  expect([run.error, model.unexpected, model.refused]).toEqual([null, [], []]);
  expect(run.termination).toEqual({ reason: "completed", node: "summarise", detail: null });
  const read = new Set(web.requests.filter((path) => path.startsWith("/pages/")));
  expect(read.size).toBeGreaterThanOrEqual(40);
  expect(read.size).toBeLessThanOrEqual(60);
  const calls = Map.groupBy(model.requests, ({ body }) => String(body.model));
  expect(calls.get("outline")?.length).toBe(1);
  expect(calls.get("section")?.length).toBe(HARBOURS.length);
  expect(calls.get("writer")).toBeUndefined();
  for (const { body } of model.requests) {
    const size = body.messages.reduce((sum, { content }) => sum + estimateTokens(String(content)), 0);
    expect(size).toBeLessThan(32_000);
  }
  const { modelCalls, inputTokens, outputTokens } = run.usage;
  expect(modelCalls).toBeGreaterThanOrEqual(estimate.modelCalls.from);
  expect(modelCalls).toBeLessThanOrEqual(estimate.modelCalls.to);
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(estimate.tokens.to);
  expect(run.usage.downloads).toBeLessThanOrEqual(estimate.documents.to);
  const claims = run.report?.claims ?? [];
  expect(claims.filter(({ support }) => support === "unverified")).toEqual([]);
  for (const harbour of HARBOURS) expect(claims.map(({ text }) => text)).toContain(factOf(harbour, 2010));
  expect(run.report?.blocks.filter(({ kind }) => kind === "heading")).toHaveLength(HARBOURS.length);
  expect(contentsOf(calls.get("section")?.[0] as never, "user").at(-1)).toContain(HARBOURS[0]);
  await expectReplay({ dossier, run });
});
