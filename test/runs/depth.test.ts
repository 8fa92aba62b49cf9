import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const ANSWER = 'Ada Penrose built it in 1874. [P1: "The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]';
const request = (more: object) => ({ question: QUESTION, graph: "executor", language: "auto", ...more }) as never;

it.each([
  ["quick", { modelCalls: 3, downloads: 6, tokens: 50_000, seconds: 300 }],
  ["standard", { modelCalls: 10, downloads: 12, tokens: 200_000, seconds: 600 }],
])("a run of depth %s has its limits, and the writer knows its length", async (depth, limits) => {
  const { dossier, model } = await openWithModel(() => say.text(ANSWER));
  const estimate = await dossier.runs.estimate(TENANT, request({ depth }));
  expect(estimate).toMatchObject({ depth, limits, lowered: [], seconds: { to: limits.seconds } });
  expect(estimate.documents.to).toBe(limits.downloads);
  expect(estimate.modelCalls.to).toBeLessThanOrEqual(limits.modelCalls);
  expect(estimate.tokens.to).toBeLessThanOrEqual(limits.tokens);
  const run = await dossier.finish((await dossier.start(request({ depth }))).id);
  expect(run.usage.modelCalls).toBeGreaterThanOrEqual(estimate.modelCalls.from);
  expect(run.usage.modelCalls).toBeLessThanOrEqual(estimate.modelCalls.to);
  expect(contentsOf(model.requests.at(-1)!, "system").join()).toContain(`About ${depth === "quick" ? 200 : 800} words`);
});

it("works at the server's cap where the depth asks for more, and says so; an explicit limit above it is refused", async () => {
  const { dossier } = await openWithModel(() => say.text(ANSWER), { environment: { MAX_DOWNLOADS: "4", MAX_TOKENS: "100000" } });
  expect(await dossier.runs.estimate(TENANT, request({ depth: "standard" }))).toMatchObject({
    documents: { to: 4 },
    lowered: ["downloads", "tokens"],
  });
  expect(await dossier.runs.estimate(TENANT, request({ depth: "standard", limits: { downloads: 2 } }))).toMatchObject({
    documents: { to: 2 },
  });
  expect(await dossier.start(request({ depth: "standard" }))).toMatchObject({ limits: { downloads: 4 }, lowered: ["downloads", "tokens"] });
  expect((await dossier.start(request({ depth: "standard", limits: { downloads: 2 } }))).lowered).toEqual(["tokens"]);
  expect((await dossier.start(request({}))).lowered).toBeUndefined();
  await expect(dossier.start(request({ depth: "standard", limits: { downloads: 5 } }))).rejects.toMatchObject({ code: "limit_too_high" });
});

it("counts the addresses that were given, which are read besides what is found", async () => {
  const { dossier } = await openWithModel(() => say.text(ANSWER));
  const urls = Array.from({ length: 9 }, (_, at) => `https://port.example/货物/${at}`);
  expect(await dossier.runs.estimate(TENANT, request({}))).toMatchObject({ documents: { to: 12 } });
  expect(await dossier.runs.estimate(TENANT, request({ urls }))).toMatchObject({ documents: { from: 9, to: 21 } });
  expect(await dossier.runs.estimate(TENANT, request({ urls, depth: "quick" }))).toMatchObject({ documents: { from: 6, to: 6 } });
});

it.each(["executor", "research", "agent"])("estimates no more than the least that the graph %s really uses", async (graph) => {
  for (const corpus of [{}, { "灯塔.txt": ANSWER }]) {
    const { dossier } = await openWithModel(() => say.text(ANSWER), { corpus });
    const asked = request({ graph, depth: "quick", question: "谁建了灯塔？" });
    const { modelCalls, tokens, documents } = await dossier.runs.estimate(TENANT, asked);
    const { usage } = await dossier.finish((await dossier.start(asked)).id);
    expect(usage.modelCalls).toBeGreaterThanOrEqual(modelCalls.from);
    expect(usage.modelCalls).toBeLessThanOrEqual(modelCalls.to);
    expect(usage.inputTokens + usage.outputTokens).toBeGreaterThanOrEqual(tokens.from);
    expect(usage.downloads).toBeGreaterThanOrEqual(documents.from);
  }
});

it("deep needs the graph research", async () => {
  const { dossier } = await openWithModel(() => say.text(ANSWER));
  await expect(dossier.start(request({ depth: "deep" }))).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("graph research"),
  });
  expect(await dossier.runs.estimate(TENANT, request({ depth: "deep", graph: "research" }))).toMatchObject({
    documents: { to: 60 },
    modelCalls: { from: 3, to: 60 },
  });
});

it("tells the writer the style and the words of the user", async () => {
  const { dossier, model } = await openWithModel(() => say.text(ANSWER));
  const report = { style: "brief", instructions: "请用一句话回答。" };
  await dossier.finish((await dossier.start(request({ report }))).id);
  const system = contentsOf(model.requests.at(-1)!, "system").join();
  expect(system).toContain("short points as a list");
  expect(system).toContain("请用一句话回答。");
});
