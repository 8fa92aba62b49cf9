import { expect, it } from "vitest";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startWithModel } from "./run-over-http.ts";

const calculate = (expression: string) => say.toolCalls([{ name: "calculator", arguments: { expression } }]);
const count = (request: SeenRequest, index: number): Behavior =>
  offeredTools(request).length > 0 ? calculate(`${index}+1`) : say.text("算不完。");

it("an agent's tenth response writes the answer, without tools", async () => {
  const { model, ask } = await startWithModel(count);
  const { run } = await ask({ graph: "agent", question: "一直数下去" });
  expect([run.termination?.reason, run.usage.modelCalls, run.report?.markdown.slice(0, 4)]).toEqual(["step_cap", 10, "算不完。"]);
  expect(model.requests.map((request) => offeredTools(request).length > 0)).toEqual([...Array(9).fill(true), false]);
});

/** A team of one child; the supervisor's request has no tools and another prompt. */
async function childAlone(maxIterations: number, does: (request: SeenRequest, index: number) => Behavior) {
  const own: SeenRequest[] = [];
  const { ask } = await startWithModel((request) => {
    if (!JSON.stringify(request.body.messages[0]).includes("数数专家")) return say.text("总结。");
    own.push(request);
    return does(request, own.length - 1);
  });
  const team = { pattern: "sequential", children: [{ id: "数", prompt: "你是数数专家。", tools: ["calculator"], maxIterations }] };
  const { run } = await ask({ graph: "team", question: "一直数下去", team });
  const [child] = run.children ?? [];
  return { responses: own.length, success: child?.success, iterations: child?.iterations, code: child?.error?.code ?? null };
}

it.each([
  ["calls to its cap", 3, count, { responses: 3, success: false, iterations: 3, code: "step_cap" }],
  [
    "writes its answer with its last response",
    3,
    (request: SeenRequest) => (offeredTools(request).length > 0 ? calculate("1+1") : say.text("是二。")),
    { responses: 3, success: true, iterations: 3, code: null },
  ],
  [
    "has no response left to write its answer",
    2,
    (request: SeenRequest) => (offeredTools(request).length > 0 ? calculate("1+1") : say.text("是二。")),
    { responses: 2, success: false, iterations: 2, code: "step_cap" },
  ],
])("a child's iterations are its responses, at most maxIterations: it %s", async (_, maxIterations, does, expected) => {
  expect(await childAlone(maxIterations, does)).toEqual(expected);
});
