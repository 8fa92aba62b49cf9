import { describe, expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startWithModel } from "./run-over-http.ts";

const ask = { graph: "agent", question: "人参果怎么吃？" };

describe("a question that the user has answered", () => {
  const question = { name: "ask_user", arguments: { question: "水果人参果还是蔬菜人参果？" } };

  it.each([
    ["before", [question, { name: "finish_task", arguments: { summary: "水果人参果可以生吃。" } }]],
    ["after", [{ name: "finish_task", arguments: { summary: "水果人参果可以生吃。" } }, question]],
  ])("asked again %s finish_task, does not keep it from ending the run", async (_, calls) => {
    const first = say.toolCalls([question, { name: "finish_task", arguments: { summary: "不知道。" } }]);
    const { model, ask: post, answer } = await startWithModel([first, say.toolCalls(calls)]);
    const { run: waiting } = await post(ask);
    expect(waiting.pending.map(({ prompt }) => prompt)).toEqual(["水果人参果还是蔬菜人参果？"]);
    const { run } = await answer(waiting, "水果人参果");
    expect([run.termination?.reason, run.report?.markdown, model.requests.length]).toEqual(["finish_task", "水果人参果可以生吃。", 2]);
  });

  it("asked again beside another call, does not keep it from being made", async () => {
    const again = say.toolCalls([question, { name: "calculator", arguments: { expression: "6*7" } }]);
    const { model, ask: post, answer } = await startWithModel([say.toolCalls([question]), again, say.text("很多种。")]);
    const { run } = await answer((await post(ask)).run, "水果人参果");
    expect([run.termination?.reason, run.report?.markdown]).toEqual(["answered", "很多种。"]);
    const results = contentsOf(model.requests[2] as SeenRequest, "tool");
    expect(results.map((text) => /before and answered: 水果人参果|6\*7 = 42/.exec(text)?.[0] ?? text)).toEqual([
      "水果人参果",
      "before and answered: 水果人参果",
      "6*7 = 42",
    ]);
  });
});
