import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { DossierError } from "../../src/errors.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startWithModel } from "./run-over-http.ts";

/** `broken` always fails, `barren` finds nothing, `finder` finds one thing for each query, `writer` changes something and fails. */
function tools(made: string[] = []) {
  const tool = (name: string, call: (query: string) => Awaited<ReturnType<Tool["call"]>>, kind: Tool["kind"] = "query"): Tool => ({
    name,
    description: `The tool ${name}.`,
    kind,
    schema: z.object({ query: z.string() }),
    timeoutMs: 5_000,
    call: async (args) => {
      const { query } = args as { query: string };
      made.push(`${name} ${query}`);
      return call(query);
    },
  });
  const fail = (): never => {
    throw new DossierError("tool_failed", "The server answered 500.");
  };
  const found = (query: string) => ({
    text: `on ${query}`,
    sources: [{ title: query, url: `https://found.example/${query}`, publishedAt: null, snippet: "鲸油。", text: null }],
  });
  const list = [tool("broken", fail), tool("barren", () => ({ text: "nothing", sources: [] })), tool("finder", found)];
  return { parts: { tools: [...list, tool("writer", fail, "mutation")] }, environment: { SOURCES: "broken,barren,finder,writer" } };
}

const call = (name: string, query: string) => ({ name, arguments: { query } });
const round = (...calls: { name: string; arguments: Record<string, unknown> }[]) => say.toolCalls(calls);
const unknown = { name: "no_such_tool", arguments: {} };
const impossible = { name: "calculator", arguments: { expression: "1/0" } };
const right = { name: "calculator", arguments: { expression: "6*7" } };
const ask = { graph: "agent", question: "灯塔用什么油？" };

describe("a failing call of an agent is an observation", () => {
  it("after two failing rounds a right call is made", async () => {
    const { model, ask: post } = await startWithModel([round(unknown), round(impossible), round(right), say.text("是鲸油。")]);
    const { run, of } = await post(ask);
    expect(of("tool-ended").map(({ ok, error }) => error?.code ?? ok)).toEqual(["unknown_tool", "invalid_arguments", true]);
    expect([run.termination?.reason, model.requests.length]).toEqual(["answered", 4]);
  });

  it("in a child of a team too", async () => {
    const script = [round(unknown), round(impossible), round(right), say.text("是鲸油。"), say.text("鲸油。")];
    const { ask: post } = await startWithModel(script);
    const team = { pattern: "sequential", children: [{ id: "油", prompt: "回答。" }] };
    const { run } = await post({ ...ask, graph: "team", team });
    expect(run.children?.map(({ success, iterations, output }) => [success, iterations, output?.slice(0, 5)])).toEqual([
      [true, 4, "是鲸油。"],
    ]);
  });

  it("other failing calls go on to the cap of ten responses", async () => {
    const script = (request: SeenRequest, index: number): Behavior =>
      offeredTools(request).length > 0 ? round(call("broken", `${index}`)) : say.text("没有找到。");
    const made: string[] = [];
    const { model, ask: post } = await startWithModel(script, tools(made));
    const { run } = await post(ask);
    expect([run.termination?.reason, model.requests.length, made.length]).toEqual(["step_cap", 10, 9]);
  });

  it("an equal one is made twice, then answered from its result, which ends the loop", async () => {
    const made: string[] = [];
    const script = (request: SeenRequest) => (offeredTools(request).length > 0 ? round(call("broken", "灯")) : say.text("没有找到。"));
    const { model, ask: post } = await startWithModel(script, tools(made));
    const { run, of } = await post(ask);
    expect(made).toEqual(["broken 灯", "broken 灯"]);
    expect(of("tool-ended").map(({ ok, reused, error }) => [ok, reused, error?.code])).toEqual([
      [false, false, "tool_failed"],
      [false, false, "tool_failed"],
      [false, true, "tool_failed"],
    ]);
    const told = contentsOf(model.requests[3] as SeenRequest, "tool").at(-1);
    expect(told).toContain("An equal call failed twice, so it was not made again. tool_failed: The server answered 500.");
    expect([run.termination?.reason, model.requests.length]).toEqual(["no_progress", 4]);
  });

  it("one that changes something is made twice too", async () => {
    const made: string[] = [];
    const script = (request: SeenRequest) => (offeredTools(request).length > 0 ? round(call("writer", "灯")) : say.text("没有成功。"));
    const { ask: post } = await startWithModel(script, tools(made));
    const { run } = await post(ask);
    expect([run.termination?.reason, made]).toEqual(["no_progress", ["writer 灯", "writer 灯"]]);
  });

  it.each([
    ["an unknown tool", unknown],
    ["wrong arguments of finish_task", { name: "finish_task", arguments: { result: "鲸油。" } }],
    ["wrong arguments of ask_user", { name: "ask_user", arguments: { prompt: "哪座灯塔？" } }],
  ])("a third equal call of %s ends the loop", async (_, wrong) => {
    const script = (request: SeenRequest) => (offeredTools(request).length > 0 ? round(wrong) : say.text("没有找到。"));
    const { model, ask: post } = await startWithModel(script);
    const { run, of } = await post(ask);
    expect([run.termination?.reason, model.requests.length]).toEqual(["no_progress", 4]);
    expect(of("tool-started")).toEqual([]);
  });

  it("a round with a failure and an empty result is not the end, two with empty results are", async () => {
    const mixed = round(call("broken", "a"), call("barren", "a"));
    const script = [mixed, round(call("barren", "b")), round(call("barren", "c")), say.text("没有找到。")];
    const { model, ask: post } = await startWithModel(script, tools());
    const { run } = await post(ask);
    expect([run.termination?.reason, offeredTools(model.requests[2] as SeenRequest).length > 0]).toEqual(["no_progress", true]);
    expect(model.requests.map((request) => offeredTools(request).length > 0)).toEqual([true, true, true, false]);
  });
});

describe("the executor's loop", () => {
  const executor = { question: "灯塔用什么油？" };
  const decisions = (script: readonly Behavior[]) => {
    let index = 0;
    return (request: SeenRequest): Behavior =>
      offeredTools(request).length > 0 ? (script[index++] ?? say.text("够了。")) : say.text("鲸油。");
  };

  it.each([
    ["goes on to its cap when calls fail", [call("broken", "1"), call("broken", "2"), call("broken", "3")], "cap", 3],
    ["ends as sufficient after two failing rounds", [call("broken", "1"), call("broken", "2")], "sufficient", 2],
    [
      "ends when an equal failing call comes for the third time",
      [call("broken", "1"), call("broken", "1"), call("broken", "1")],
      "no_progress",
      3,
    ],
    ["ends after two rounds that succeeded and brought nothing", [call("barren", "1"), call("barren", "2")], "no_progress", 2],
    ["goes on after a failure and an empty result", [call("broken", "1"), call("barren", "2"), call("finder", "3")], "cap", 3],
  ])("%s", async (_, calls, reason, rounds) => {
    const made: string[] = [];
    const { ask: post } = await startWithModel(decisions(calls.map((one) => round(one))), tools(made));
    const { of } = await post(executor);
    expect(of("loop-ended").map((event) => [event.reason, event.rounds])).toEqual([[reason, rounds]]);
    const distinct = (name: string) => made.filter((one) => one === name).length;
    expect(Math.max(...made.map(distinct))).toBeLessThanOrEqual(2);
  });
});
