import { expect, it, onTestFinished } from "vitest";
import { estimateTokens } from "../../../src/domain/chat.ts";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { DEEP, deepScript, factOf, HARBOURS, settingsOf, startWorld } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

async function openWorld() {
  const web = await startWorld();
  onTestFinished(() => web.close());
  return { web, ...(await openWithModel(deepScript(), { environment: settingsOf(web.url), parts: { tools: [] }, corpus: {} })) };
}

it("a deep run of eight todos over 80 documents reads most of them alone, writes once, and costs what was estimated", async () => {
  const { web, dossier, model } = await openWorld();
  const estimate = await dossier.runs.estimate(TENANT, ResearchRequestSchema.parse(DEEP));
  const { id } = await dossier.start(DEEP);
  const run = await dossier.finish(id);
  expect([run.error, model.unexpected, model.refused]).toEqual([null, [], []]);
  expect(run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
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
  expect(inputTokens + outputTokens).toBeGreaterThanOrEqual(estimate.tokens.from);
  expect(run.usage.downloads).toBeLessThanOrEqual(estimate.documents.to);
  // The calls of a todo's documents are made side by side: none is asked for after another was read.
  for (const [path, events] of Map.groupBy(await dossier.events(id), (event) => event.path)) {
    const read = events.findIndex(({ type }) => type === "notes-taken");
    const later = read < 0 ? [] : events.slice(read).filter((event) => event.type === "usage" && event.model === "reader");
    expect([path, later]).toEqual([path, []]);
  }
  const claims = run.report?.claims ?? [];
  expect(claims.filter(({ support }) => support === "unverified")).toEqual([]);
  for (const harbour of HARBOURS) expect(claims.map(({ text }) => text)).toContain(factOf(harbour, 2010));
  expect(run.report?.blocks.filter(({ kind }) => kind === "heading")).toHaveLength(HARBOURS.length);
  expect(contentsOf(calls.get("section")?.[0] as never, "user").at(-1)).toContain(HARBOURS[0]);
  await expectReplay({ dossier, run });
});
