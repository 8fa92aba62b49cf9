import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { httpTool } from "../fakes/http-tool.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { roleScript } from "../fakes/model-server/role-script.ts";
import { offeredTools } from "../fakes/model-server/seen-request.ts";
import { startSearchServices } from "../fakes/search-services.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";

const ROOMS = Array.from({ length: 600 }, (_, at) => `Room ${at} of the Aldermoor lighthouse, 灯塔第${at}间, has ${at} windows.`).join(" ");
const PRICES = '{"*": {"inputPerMillion": 1, "outputPerMillion": 4}}';

/** A model that searches where it can, and writes a text that it has to correct. */
async function openLighthouse(hasTool: boolean) {
  const services = await startSearchServices((service) =>
    service === "web" ? Array.from({ length: 20 }, (_, at) => ({ title: `Aldermoor lighthouse ${at}`, text: `${at} ${ROOMS}` })) : [],
  );
  const prices = join(tmpdir(), `dossier-prices-${process.pid}.json`);
  await writeFile(prices, PRICES);
  onTestFinished(() => rm(prices, { force: true }));
  const environment = { ...services.environment, SOURCES: hasTool ? "searxng,tool" : "searxng", MODEL_PRICES: prices };
  const tools = hasTool ? [httpTool("tool", "http://127.0.0.1:9")] : [];
  const queries = [{ text: "Aldermoor lighthouse windows" }];
  const { dossier } = await openWithModel(
    (seen) =>
      offeredTools(seen).includes("search")
        ? say.toolCalls([{ name: "search", arguments: { queries } }])
        : say.text('It has 700 windows. [P1: "nowhere"]'),
    { environment, parts: { tools } },
  );
  const ask = async (question: string, more: object) => {
    const request = ResearchRequestSchema.parse({ question, ...more });
    const estimate = await dossier.runs.estimate(TENANT, request);
    return { estimate, run: await dossier.finish((await dossier.runs.start(TENANT, request)).id) };
  };
  return { dossier, ask };
}

it.each([
  ["quick", false],
  ["quick", true],
  ["standard", false],
  ["standard", true],
])("a run of depth %s takes what was estimated (tool: %s), a follow-up too", async (depth, hasTool) => {
  const { ask } = await openLighthouse(hasTool);
  for (const question of ["How many windows has the lighthouse of Aldermoor?", "还有呢？有多少扇窗？"]) {
    const { estimate, run } = await ask(question, { depth, threadId: "T" });
    const { modelCalls, inputTokens, outputTokens, downloads, costUsd } = run.usage;
    const within = { modelCalls, documents: downloads, tokens: inputTokens + outputTokens, costUsd };
    for (const [name, value] of Object.entries(within)) {
      const { from, to } = estimate[name as keyof typeof within] ?? { from: 0, to: 0 };
      expect([name, value >= from, value <= to]).toEqual([name, true, true]);
    }
    // Only the part that a model may write costs as much as output.
    expect(estimate.costUsd?.to).toBeLessThan((estimate.tokens.to * 4) / 1e6 / 2);
  }
});

it("knows what the thread was given, and that a follow-up may need queries", async () => {
  const { dossier } = await openLighthouse(false);
  const urls = ["https://port.example/a", "https://port.example/货物"];
  await dossier.threads.add({ tenant: TENANT, threadId: "T" }, { files: [], urls }, new AbortController().signal);
  const estimate = (more: object) => dossier.runs.estimate(TENANT, ResearchRequestSchema.parse({ question: "How many windows?", ...more }));
  expect(await estimate({ threadId: "T", otherSources: true })).toMatchObject({
    documents: { from: 2, to: 14 },
    modelCalls: { from: 0, to: 4 },
  });
  // Agents may make no search, so they may read none.
  for (const graph of ["research", "agent"]) expect((await estimate({ threadId: "T", graph })).documents.from).toBe(0);
  const keyless = await openDossier();
  const request = ResearchRequestSchema.parse({ question: "How many windows?", graph: "research", urls });
  expect((await keyless.runs.estimate(TENANT, request)).documents.from).toBe(2);
  expect(await estimate({})).toMatchObject({ documents: { from: 0, to: 12 }, modelCalls: { from: 0, to: 3 } });
  // The files of such a request are not known yet.
  expect(await estimate({ threadId: "new", sources: ["documents"] })).toMatchObject({ documents: { from: 0 } });
  expect((await estimate({ since: "2020-01-01" })).documents.to).toBe(24);
});

it("a deep run that finds nothing takes few more calls than the fewest that were estimated: plan, assessment and verdict", async () => {
  const services = await startSearchServices(() => []);
  const plan = { needsMorePlanning: false, question: null, reasoning: "", todos: [{ id: "T1", description: "灯塔有多少扇窗？" }] };
  const { dossier } = await openWithModel(
    roleScript({
      "planner-response": [say.component("planner-response", plan)],
      "executor-response": [say.component("executor-response", { taskCompleted: false, nextAction: "skip", summary: "nothing" })],
      "verifier-response": [say.component("verifier-response", { allCompleted: true, overallFeedback: "", tasks: [] })],
    }),
    { environment: { ...services.environment, SOURCES: "openalex" }, parts: { tools: [] } },
  );
  const request = ResearchRequestSchema.parse({ question: "How many windows?", graph: "research", depth: "deep" });
  const { modelCalls, tokens } = await dossier.runs.estimate(TENANT, request);
  expect([modelCalls, tokens.from]).toEqual([{ from: 3, to: 60 }, 1_500]);
  const { usage } = await dossier.finish((await dossier.runs.start(TENANT, request)).id);
  // The fourth writes other queries.
  expect([usage.modelCalls, usage.inputTokens + usage.outputTokens >= tokens.from]).toEqual([4, true]);
});
