import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/domain/ports/tools.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";

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
const SCOPE = { parts: { tools: [finder] as never }, environment: { SOURCES: "finder" } };

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

it("ends within the few steps of the run, and still writes", async () => {
  const agent = await startAgent(
    (request, index) => (hasTools(request) ? say.toolCalls([look("finder", `q${index}`)]) : say.text("Whale oil.")),
    SCOPE,
  );
  for (const steps of [1, 4]) {
    const { run } = await agent.ask("What burns in the lamp?", { limits: { steps } });
    expect(run).toMatchObject({
      status: "succeeded",
      termination: { reason: "step_cap" },
      report: { markdown: expect.stringContaining("Whale oil.") },
    });
  }
  expectNoRefusal(agent);
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
