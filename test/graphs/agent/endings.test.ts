import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/domain/ports/tools.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { outsideCode } from "../../helpers/outside-code.ts";
import { uncited, withUncitedNote } from "../../helpers/uncited.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";

const search = (query: string) => say.toolCalls([{ name: "search", arguments: { query } }]);
const look = (tool: string, query: string) => ({ name: tool, arguments: { query } });
const hasTools = (request: SeenRequest) => request.body.tools !== undefined;

/** A tool that finds one new thing for each query. */
const finder: Tool<{ query: string }> = {
  name: "finder",
  description: "Finds.",
  kind: "query",
  schema: z.object({ query: z.string() }),
  timeoutMs: 100_000,
  async call({ query }) {
    const text = `The finder says of ${query}: the lamp of Aldermoor burns whale oil.`;
    const source = { title: `About ${query}`, url: `https://found.example/${query}`, publishedAt: null, snippet: text, text };
    return { text: `see https://found.example/${query}`, sources: [source] };
  },
};
const barren: Tool<{ query: string }> = {
  ...finder,
  name: "barren",
  call: async ({ query }) => ({ text: `nothing on ${query}`, sources: [] }),
};
const SCOPE = { parts: { tools: [finder, barren] as never }, environment: { SOURCES: "finder,barren" } };

it("writes the answer with the last of its ten responses, without tools", async () => {
  const agent = await startAgent(
    (request, index) => (hasTools(request) ? say.toolCalls([look("finder", `q${index}`)]) : say.text('Whale oil. [S1: "burns whale oil"]')),
    SCOPE,
  );
  const { run } = await agent.ask("What burns in the lamp?");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "step_cap" }, usage: { modelCalls: 10 } });
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["burns whale oil"]);
  expectNoRefusal(agent);
});

it("ends with no_progress if two calls alternate without new results", async () => {
  const agent = await startAgent(
    (request, index) => (hasTools(request) ? say.toolCalls([look("barren", index % 2 === 0 ? "a" : "b")]) : say.text("I found nothing.")),
    SCOPE,
  );
  const { run } = await agent.ask("What burns in the lamp?");
  expect(run).toMatchObject({
    termination: { reason: "no_progress" },
    report: { markdown: uncited("I found nothing.") },
    usage: { modelCalls: 3 },
  });
  expectNoRefusal(agent);
});

it("ends with no_progress after a round of nothing but repeated calls", async () => {
  const agent = await startAgent(
    (request) => (hasTools(request) ? say.toolCalls([look("finder", "a"), look("finder", "a")]) : say.text("Whale oil.")),
    SCOPE,
  );
  const { run, of } = await agent.ask("What burns in the lamp?");
  expect(run).toMatchObject({ termination: { reason: "no_progress" }, usage: { toolCalls: 1, modelCalls: 3 } });
  expect(of("tool-ended").map(({ reused }) => reused)).toEqual([false, true, true, true]);
  expectNoRefusal(agent);
});

it("sends wrong arguments and invalid JSON back to the model, and executes nothing", async () => {
  const agent = await startAgent(
    [
      say.toolCalls([{ name: "finder", arguments: '{"query": "a' }, look("nobody", "a"), { name: "finder", arguments: { question: 1 } }]),
      say.toolCalls([look("finder", "a")]),
      say.text("Whale oil."),
    ],
    SCOPE,
  );
  const { run, of } = await agent.ask("What burns in the lamp?");
  expect(run.termination?.reason).toBe("answered");
  expect(of("tool-ended").map(({ error }) => error?.code ?? null)).toEqual([
    "invalid_arguments",
    "unknown_tool",
    "invalid_arguments",
    null,
  ]);
  expectNoRefusal(agent);
});

it.each([
  ["model_call_cap", { modelCalls: 3 }],
  ["token_budget", { tokens: 6_000 }],
])("reserves a share of a budget for the answer: %s", async (reason, limits) => {
  const usage = { prompt_tokens: 1_500, completion_tokens: 100, total_tokens: 1_600 };
  const agent = await startAgent(
    (request, index) => (hasTools(request) ? say.toolCalls([look("finder", `q${index}`)], { usage }) : say.text("Whale oil.", { usage })),
    { ...SCOPE, environment: { ...SCOPE.environment, MODEL_MAX_OUTPUT_TOKENS: "500" } },
  );
  const { run } = await agent.ask("What burns in the lamp?", { limits });
  expect(run).toMatchObject({ status: "succeeded", termination: { reason }, report: { markdown: withUncitedNote("Whale oil.") } });
  expectNoRefusal(agent);
});

it("ends within the few steps of the run, and still writes", async () => {
  const agent = await startAgent(
    (request, index) => (hasTools(request) ? say.toolCalls([look("finder", `q${index}`)]) : say.text("Whale oil.")),
    SCOPE,
  );
  for (const steps of [1, 2, 3, 4, 5, 6]) {
    const { run } = await agent.ask("What burns in the lamp?", { limits: { steps } });
    expect(run).toMatchObject({
      status: "succeeded",
      termination: { reason: "step_cap" },
      report: { markdown: expect.stringContaining("Whale oil.") },
    });
  }
  expectNoRefusal(agent);
});

it("writes by rules from its findings if the model becomes unavailable", async () => {
  const away = await startAgent((_, index) => (index === 0 ? search("lighthouse lamp Aldermoor") : say.reset({ after: "nothing" })));
  const { run, of } = await away.ask("What does the lamp of the lighthouse of Aldermoor burn?");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "completed" } });
  expect(run.report?.markdown).toContain("whale oil");
  expect(run.report?.ledger.filter(({ what }) => what === "model").map(({ failure }) => failure)).toEqual(["unreachable"]);
  expect(of("model-failed").map(({ fallback }) => fallback)).toEqual(["rules"]);
});

it("fails with the model's error if nothing was found and no source can be searched", async () => {
  const agent = await startAgent(() => say.status(500), SCOPE);
  const { run, of } = await agent.ask("What burns in the lamp?");
  expect(run).toMatchObject({ status: "failed", error: { code: "model_unavailable" }, termination: { reason: "failed" } });
  expect(of("model-failed").map(({ fallback }) => fallback)).toEqual([null]);
});

it("ends at repeated output with its findings", async () => {
  const agent = await startAgent([search("lighthouse lamp"), say.repetition()]);
  const { run } = await agent.ask("What does the lamp of the lighthouse burn?");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "no_progress" } });
  expect(run.report?.markdown).toContain("whale oil");
  expect(agent.server.requests.length).toBe(2);
});

it("sends no address to the model, and shows as code what no source has found", async () => {
  const agent = await startAgent(
    [say.toolCalls([look("finder", "a")]), say.text("See https://evil.example/x and https://found.example/a for more.")],
    SCOPE,
  );
  const { run, of } = await agent.ask("What burns in the lamp?");
  expect(JSON.stringify(agent.server.requests[1]?.body)).not.toContain("found.example");
  const shown = of("content")
    .map(({ delta }) => delta)
    .join("");
  expect(outsideCode(shown + run.report?.markdown)).not.toContain("evil.example");
  expect(run.report?.markdown).toContain("https://found.example/a");
});

it.each([
  ["What burns in the lamp?", "- model scripted: could not be asked, because no further call was allowed"],
  ["灯塔用什么油？", "- 模型 scripted: 无法调用，因为可用的调用次数已经用完"],
])("mentions no model that was never asked: %s", async (question, line) => {
  const agent = await startAgent([]);
  const { run } = await agent.ask(question, { limits: { modelCalls: 0 } });
  expect(run).toMatchObject({ termination: { reason: "model_call_cap" }, usage: { modelCalls: 0 } });
  expect(run.report?.markdown).toContain(line);
});

it("names no model that only its server knows by name", async () => {
  const agent = await startAgent([say.text(""), say.text("")], { environment: { OPENAI_MODEL: "" } });
  const { run } = await agent.ask("What burns in the lamp?");
  expect(run.report?.markdown).toContain("- model: gave no answer");
});
