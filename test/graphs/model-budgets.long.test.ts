import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ResearchRequest } from "../../src/domain/request.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { countsOf } from "../helpers/claims.ts";
import { startTool } from "../helpers/finding-tool.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { askModel, openWithModel } from "../helpers/with-model.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const QUOTE = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
const GRAPHS = ["executor", "agent"] as const;
type Graph = (typeof GRAPHS)[number];
type Limits = NonNullable<ResearchRequest["limits"]>;

/** Makes a new call as long as it may, then answers with the quote; each response costs the same. */
function greedy(graph: Graph, usage: { readonly input: number; readonly output: number }) {
  const { input, output } = usage;
  const cost = { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } };
  return (request: SeenRequest, index: number): Behavior => {
    const tool = graph === "agent" && index === 0 ? "search" : "alpha";
    const query = index === 0 ? "lighthouse Aldermoor built Ada Penrose" : `灯塔 ${index}`;
    if (offeredTools(request).length > 0) return say.toolCalls([{ name: tool, arguments: { query } }], cost);
    return say.text(`Ada Penrose built it in 1874. [${idIn(request, graph)}: "${QUOTE}"]`, cost);
  };
}

/** Returns the id under which the model sees the text with the answer. */
function idIn(request: SeenRequest, graph: Graph): string {
  if (graph === "agent") return "S1";
  const shown = contentsOf(request, "user").join("\n");
  return [...shown.slice(0, shown.indexOf(QUOTE)).matchAll(/\bP\d+\b/g)].at(-1)?.[0] ?? "P1";
}

async function pricesFile(prices: object): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-prices-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, "prices.json");
  await writeFile(file, JSON.stringify(prices));
  return file;
}

const PRICES = { scripted: { inputPerMillion: 1_000, outputPerMillion: 2_000 } };

describe.each(GRAPHS)("the %s", (graph) => {
  const run = async (limits: Limits, usage: { input: number; output: number }, environment: Record<string, string> = {}) => {
    const tool = await startTool("alpha");
    const settings = { MODEL_MAX_OUTPUT_TOKENS: "500", MAX_OPTIONAL_TOOL_LOOPS: "20", ...environment };
    return askModel(greedy(graph, usage), { graph, question: QUESTION, limits }, { parts: { tools: [tool] }, environment: settings });
  };

  it("writes its report when the token limit is reached, and counts every token", async () => {
    const { run: ended, model } = await run({ tokens: 10_000 }, { input: 900, output: 100 });
    expect(ended).toMatchObject({ status: "succeeded", termination: { reason: "token_budget" } });
    const calls = model.requests.length;
    const receipt = { calls, inputTokens: 900 * calls, outputTokens: 100 * calls, costUsd: 0 };
    expect(ended.usage).toMatchObject({ modelCalls: calls, inputTokens: 900 * calls, outputTokens: 100 * calls });
    expect(ended.usage.models).toEqual([{ model: "scripted", estimated: 0, ...receipt }]);
    expect(ended.usage.inputTokens + ended.usage.outputTokens).toBeLessThanOrEqual(10_000);
    expect(ended.report?.citations.map(({ quote }) => quote)).toEqual([QUOTE]);
  });

  it("writes its report when the cost limit is reached, by the prices of a file", async () => {
    const environment = { MODEL_PRICES: await pricesFile(PRICES) };
    const { run: ended, model } = await run({ costUsd: 12 }, { input: 900, output: 100 }, environment);
    expect(ended).toMatchObject({ status: "succeeded", termination: { reason: "cost_budget" } });
    // 900 tokens of 0.001 dollars and 100 of 0.002 dollars are 1.1 dollars a call.
    const calls = model.requests.length;
    expect(ended.usage.costUsd).toBeCloseTo(1.1 * calls, 9);
    expect(ended.usage.costUsd).toBeLessThanOrEqual(12);
    expect(ended.usage.models).toEqual([
      { model: "scripted", calls, inputTokens: 900 * calls, outputTokens: 100 * calls, costUsd: ended.usage.costUsd, estimated: 0 },
    ]);
    expect(countsOf(ended.report)).toEqual({ sentences: 1, checked: 1, unverified: 0 });
  });

  const byCalls: [number, number, string][] = [
    ...(graph === "executor" ? [[0, 0, "completed"] satisfies [number, number, string]] : []),
    [1, 1, "model_call_cap"],
    [2, 2, "model_call_cap"],
    // The executor keeps one call to correct its report.
    [3, graph === "executor" ? 2 : 3, "model_call_cap"],
    [4, 3, "model_call_cap"],
  ];

  it.each(byCalls)("with %i model calls makes %i and ends with %s and a report", async (modelCalls, made, reason) => {
    const { run: ended, model } = await run({ modelCalls }, { input: 100, output: 10 });
    expect(model.requests).toHaveLength(made);
    expect(ended).toMatchObject({ status: "succeeded", termination: { reason }, usage: { modelCalls: made } });
    expect(ended.report?.markdown).toContain("Ada Penrose");
  });

  it("stops gathering at the time limit, and still asks for the report", async () => {
    const tool = await startTool("alpha");
    const scripted = greedy(graph, { input: 100, output: 10 });
    const clock = jumpingClock();
    const { run: ended, model } = await askModel(
      (request, index) => {
        if (index > 0 && offeredTools(request).length > 0) clock.jump(100_000);
        return scripted(request, index);
      },
      { graph, question: QUESTION, limits: { seconds: 600 } },
      { parts: { tools: [tool], clock: clock.now }, environment: { MAX_OPTIONAL_TOOL_LOOPS: "20" } },
    );
    expect(ended).toMatchObject({ status: "succeeded", termination: { reason: "time_budget" } });
    expect(offeredTools(model.requests.at(-1) as SeenRequest)).toEqual([]);
    expect(ended.report?.claims.length).toBeGreaterThan(0);
  });

  it("takes the model of the deployment, of the request and of the role", async () => {
    const tool = await startTool("alpha");
    const { model, dossier } = await openWithModel(greedy(graph, { input: 100, output: 10 }), {
      parts: { tools: [tool] },
      environment: { OPENAI_MODEL: "own", OPENAI_MODELS: "decision=small,writer=large,agent=able" },
    });
    const limits = { modelCalls: 3 };
    const named: (readonly string[])[] = [];
    for (const more of [
      {},
      { model: "asked" },
      { models: { writer: "best", agent: "best" } },
      { model: "asked", models: { decision: "tiny" } },
    ]) {
      const before = model.requests.length;
      const { id } = await dossier.start({ graph, question: `${QUESTION} ${JSON.stringify(more)}`, limits, ...more });
      const ended = await dossier.finish(id);
      expect(ended.status).toBe("succeeded");
      const asked = model.requests.slice(before).map(({ body }) => body.model);
      expect(ended.usage.models.map((line) => line.model)).toEqual([...new Set(asked)].sort());
      named.push(asked);
    }
    expect(named).toEqual(
      graph === "agent"
        ? [
            ["able", "able", "able"],
            ["asked", "asked", "asked"],
            ["best", "best", "best"],
            ["asked", "asked", "asked"],
          ]
        : [
            ["small", "large"],
            ["asked", "asked"],
            ["small", "best"],
            ["tiny", "asked"],
          ],
    );
  });

  it("is refused a cost limit if the price of its model is unknown", async () => {
    const { model, dossier } = await openWithModel([]);
    const start = dossier.start({ graph, question: QUESTION, limits: { costUsd: 1 } });
    await expect(start).rejects.toMatchObject({ code: "unpriced_model", status: 422 });
    expect(model.requests).toEqual([]);
  });
});

it("an agent that may make no model call ends without an answer", async () => {
  const { model, dossier } = await openWithModel([]);
  const { id } = await dossier.start({ graph: "agent", question: QUESTION, limits: { modelCalls: 0 } });
  const ended = await dossier.finish(id);
  expect(model.requests).toEqual([]);
  expect(ended).toMatchObject({ status: "succeeded", termination: { reason: "model_call_cap" } });
  expect(ended.report?.markdown).toContain("the question was not answered.");
});
