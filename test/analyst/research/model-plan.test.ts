import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import { isExtension } from "../../../src/writing/components/shown-component.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { MODELS } from "../../writing/model-under-test.ts";
import { modelResearch, planningView, shownBy, todoOf, wholeOf } from "./research-under-test.ts";

const QUESTION = "灯塔有多高，什么时候建成？";
const TODOS = [
  { id: "T1", description: "灯塔有多高？", doneCriteria: "一个带单位的数字", keyFacts: ["高度"], priority: 1, dependsOn: [] },
  { id: "T2", description: "灯塔什么时候建成？", doneCriteria: "年份", keyFacts: [], priority: 2, dependsOn: [] },
];
const PROPS = { needsMorePlanning: false, question: null, reasoning: "两件事，彼此无关。", todos: TODOS };
const PLANNED = { todos: TODOS, needsMorePlanning: false, question: null };
const WHOLE = JSON.stringify({ type: "component", component: "planner-response", props: PROPS });

describe("a model's plan", () => {
  it("is requested by the name of its schema, streams while it isExtension, and ends complete", async () => {
    const effects = plainEffects();
    const server = await startModelServer([
      say.component(
        "planner-response",
        PROPS,
        say.apart(() => effects.pieces.length),
      ),
    ]);
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), effects)).toEqual(PLANNED);
    const format = server.requests[0]?.body["response_format"];
    expect(format).toMatchObject({
      type: "json_schema",
      json_schema: { name: "planner-response", schema: { required: ["type", "component", "props"], additionalProperties: false } },
    });
    expect(JSON.stringify(format)).not.toMatch(/maxLength|minimum|maxItems|default|\$schema/);
    const events = shownBy(effects).map((event) => (event.type === "component" ? event : { partial: null, props: null }));
    expect(events.at(-1)).toMatchObject({ type: "component", component: "planner-response", partial: false, props: PROPS, try: 1 });
    expect(events.slice(0, -1).every(({ partial }) => partial)).toBe(true);
    expect(events.length).toBeGreaterThan(2);
    for (let i = 1; i < events.length; i += 1)
      expect(isExtension(events[i - 1]?.props as JsonValue, events[i]?.props as JsonValue)).toBe(true);
  });

  it("is made from the sources, the tools, the earlier plan and the feedback on it", async () => {
    const server = await startModelServer([say.component("planner-response", PROPS)]);
    const view = {
      ...planningView(QUESTION),
      systemContext: "Prefer official figures.",
      history: [{ question: "在哪里？", answer: "在海边。" }],
      sources: ["corpus", "wikipedia"],
      tools: [{ name: "calculator", description: "Calculates.", kind: "query" as const, parameters: {} }],
      todos: [todoOf("T1", "灯塔有多高？", { status: "failed", feedback: "没有数字。</data>" })],
      feedback: "The year is missing.",
      rejection: "太细了",
      asked: [{ question: "哪一座灯塔？", answer: "海边的那座" }],
    };
    await (await modelResearch(server)).plan(view, plainEffects());
    const [request] = server.requests;
    if (request === undefined) throw new Error("nothing was asked");
    const system = contentsOf(request, "system").join();
    expect(system).toContain("Prefer official figures.");
    expect(system).toContain("Chinese (zh)");
    expect(system).toContain('{"type": "component", "component": "planner-response", "props": {"needsMorePlanning": true | false,');
    expect(contentsOf(request, "user")[0]).toBe("在哪里？");
    const told = contentsOf(request, "user").at(-1) ?? "";
    for (const words of ["corpus, wikipedia", "Calculates.", "太细了", "哪一座灯塔？\n  Answer: 海边的那座"]) expect(told).toContain(words);
    expect(told).toMatch(/<data T1 [0-9a-f]{10}>\n灯塔有多高？\nplanned in round 1: failed\nfeedback: 没有数字。‹\/data>/);
    expect(told).toMatch(/<data feedback [0-9a-f]{10}>\nThe year is missing\./);
  });

  it.each([
    ["in a fence with prose", `好的：\n\`\`\`json\n${WHOLE}\n\`\`\`\n希望有帮助 {}`],
    ["as bare props", JSON.stringify(PROPS)],
    ["with trailing commas", WHOLE.replaceAll(/([}\]])/g, ",$1").replaceAll("[,]", "[]")],
    ["with prose in braces before it", `The form {type, component} is clear. ${WHOLE}`],
    ["with numbers as ids and text", WHOLE.replaceAll('"T1"', "1").replaceAll('"T2"', "2").replaceAll('"priority":1', '"priority":"1"')],
    ["with half of it missing", JSON.stringify({ todos: TODOS.map(({ id, description }) => ({ id, description })) })],
    ["behind thoughts without an opening tag", `Should I use {"todos":[]}?</think>${WHOLE}`],
    ["behind thoughts", `<think>Should I use {"todos":[]}?</think>${WHOLE}`],
  ])("is read %s", async (_, text) => {
    const server = await startModelServer([say.text(text)]);
    const effects = plainEffects();
    const { todos } = await (await modelResearch(server)).plan(planningView(QUESTION), effects);
    expect(todos.map(({ description }) => description)).toEqual(["灯塔有多高？", "灯塔什么时候建成？"]);
    expect(server.requests).toHaveLength(1);
    expect(wholeOf(effects)).toMatchObject({ todos: [{}, {}] });
  });

  it("is normalized: missing ids, cycles, empty todos and duplicates", async () => {
    const todos = [
      { id: "a", description: "A?", dependsOn: ["b"] },
      { id: "b", description: "B?", dependsOn: ["a", "nowhere"] },
      { id: "b", description: "b", dependsOn: [] },
      { description: "C?" },
      { id: "e", description: "" },
    ];
    const server = await startModelServer([say.component("planner-response", { todos })]);
    const plan = await (await modelResearch(server)).plan(planningView("A, B, C?"), plainEffects());
    expect(plan.todos.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["a", ["b"]],
      ["b", []],
      ["T3", []],
    ]);
  });
});

describe("an answer that cannot be used", () => {
  const FAULTY = JSON.stringify({
    type: "component",
    component: "planner-response",
    props: { reasoning: "没有任务，见 https://evil.test/x" },
  });

  it("is sent back once with the missing fields, and what was shown is retracted", async () => {
    const server = await startModelServer([say.text(FAULTY), say.component("planner-response", PROPS)]);
    const effects = plainEffects();
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), effects)).toEqual(PLANNED);
    const told = server.requests[1] === undefined ? [] : contentsOf(server.requests[1], "user");
    expect(told.at(-1)).toMatch(/^Your answer cannot be used as it is:\n`todos` is missing\.\n/);
    const restarted = effects.events.findIndex(({ type }) => type === "call-restarted");
    expect(effects.events[restarted]).toMatchObject({ try: 2, reason: "The answer cannot be used as it is; the model corrects it." });
    const tries = effects.events.flatMap((event) => (event.type === "component" ? [event.try] : []));
    expect(tries).toContain(1);
    expect(tries.at(-1)).toBe(2);
  });

  it("is shown as text without unknown addresses the second time, and rules plan", async () => {
    const server = await startModelServer([say.text(FAULTY), say.text("我不会写 JSON，见 https://evil.test/x 。")]);
    const effects = plainEffects();
    const plan = await (await modelResearch(server)).plan(planningView(QUESTION), effects);
    expect(plan.todos).toMatchObject([{ id: "R1" }]);
    expect(plan.ledger).toMatchObject([
      { what: "model", target: "plan", failure: "unreadable", detail: expect.stringMatching(/^Rules planned instead\./) },
    ]);
    expect(effects.events.filter(({ type }) => type === "content" || type === "model-failed")).toMatchObject([
      { type: "content", node: "plan", try: 2, delta: "我不会写 JSON，见 `https://evil.test/x`（未检索到的地址） 。" },
      { type: "model-failed", node: "plan", failure: "model_output", fallback: "rules" },
    ]);
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(effects.events).replaceAll(/`[^`]+`/g, "")).not.toContain("evil");
  });

  it("is reported by the names of its missing fields, and not said to be shown if it is empty", async () => {
    const detailOf = async (second: string) => {
      const server = await startModelServer([say.text(FAULTY), say.text(second)]);
      const effects = plainEffects();
      const { ledger } = await (await modelResearch(server)).plan(planningView(QUESTION), effects);
      const [failed] = effects.events.flatMap((event) => (event.type === "model-failed" ? [event.message] : []));
      expect(ledger?.[0]?.detail).toBe(`Rules planned instead. ${failed}`);
      return failed;
    };
    expect(await detailOf(FAULTY)).toBe("The planner's answer cannot be used: `todos` is missing. It is shown as text.");
    expect(await detailOf("\n")).toBe("The planner's answer cannot be used: It is empty.");
  });

  it("is corrected if it is empty", async () => {
    const server = await startModelServer([say.text(""), say.text(WHOLE)]);
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), plainEffects())).toEqual(PLANNED);
    expect(server.requests[1]?.body.messages.slice(-2)).toEqual([
      { role: "assistant", content: "(empty)" },
      { role: "user", content: expect.stringContaining("It is empty.") },
    ]);
  });

  it("is not asked for again if a new answer would be no better", async () => {
    const server = await startModelServer([say.text(WHOLE.slice(0, 60), { finishReason: "content_filter" })]);
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), plainEffects())).toMatchObject({ todos: [{ id: "R1" }] });
    expect(server.requests).toHaveLength(1);
  });

  it("is shown as it is if a correction cannot be paid", async () => {
    const server = await startModelServer([say.text(FAULTY)]);
    const effects = plainEffects();
    const view = planningView(QUESTION);
    const plan = await (await modelResearch(server)).plan({ ...view, limits: { ...view.limits, modelCalls: 2 } }, effects);
    expect(plan).toMatchObject({ todos: [{ id: "R1" }], spent: "model_call_cap" });
    expect(effects.events.filter(({ type }) => type === "content")).toHaveLength(1);
  });

  it("is corrected if it was cut off", async () => {
    const server = await startModelServer([say.text(WHOLE.slice(0, 120), { finishReason: "length" }), say.text(WHOLE)]);
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), plainEffects())).toEqual(PLANNED);
    const told = server.requests[1] === undefined ? "" : contentsOf(server.requests[1], "user").at(-1);
    expect(told).toContain("It was cut off before its end.");
  });

  it.each([0.35, 0.6, 0.85])("is corrected if it stops at %s of it, although the server's finish reason is stop", async (share) => {
    const server = await startModelServer([say.text(WHOLE.slice(0, WHOLE.length * share)), say.text(WHOLE)]);
    const effects = plainEffects();
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), effects)).toEqual(PLANNED);
    const told = server.requests[1] === undefined ? "" : contentsOf(server.requests[1], "user").at(-1);
    expect(told).toContain("Its JSON object ended before its end.");
    expect(wholeOf(effects)).toMatchObject({ todos: [{ id: "T1" }, { id: "T2" }] });
  });

  it("is replaced by the rules' plan after two incomplete answers, and the ledger says so", async () => {
    const [first, second] = [WHOLE.indexOf('{"id":"T2"'), WHOLE.length - 4];
    const server = await startModelServer([say.text(WHOLE.slice(0, first)), say.text(WHOLE.slice(0, second))]);
    const effects = plainEffects();
    const { todos, ledger } = await (await modelResearch(server)).plan(planningView(QUESTION), effects);
    expect(todos).toMatchObject([{ id: "R1" }]);
    const message = "The planner's answer cannot be used: Its JSON object ended before its end. It is shown as text.";
    expect(ledger).toMatchObject([{ target: "plan", failure: "unreadable", detail: `Rules planned instead. ${message}` }]);
    expect(effects.events.at(-1)).toMatchObject({ type: "model-failed", node: "plan", message });
    expect(wholeOf(effects)).toEqual([]);
  });

  it.each([
    ["of which only the last bracket is missing", WHOLE.slice(0, -1)],
    ["that misses a quotation mark", WHOLE.replace('"id":"T1"', '"id":"T1')],
    ["in a wrapper without a list", JSON.stringify({ response: { todos: "灯塔有多高？" } })],
  ])("is sent back once: one %s", async (_, text) => {
    const server = await startModelServer([say.text(text), say.text(WHOLE)]);
    expect(await (await modelResearch(server)).plan(planningView(QUESTION), plainEffects())).toEqual(PLANNED);
    expect(server.requests).toHaveLength(2);
  });
});

it("retracts what was shown if the whole is read otherwise", async () => {
  const effects = plainEffects();
  const server = await startModelServer([
    say.component(
      "planner-response",
      { notes: ["The lighthouse of Aldermoor has two facts that are asked for."], ...PROPS },
      say.apart(() => effects.pieces.length),
    ),
  ]);
  expect((await (await modelResearch(server)).plan(planningView(QUESTION), effects)).todos).toHaveLength(2);
  let before: JsonValue = {};
  for (const event of shownBy(effects)) {
    if (event.type !== "component") before = {};
    else expect(isExtension(before, event.props)).toBe(true);
    before = event.type === "component" ? event.props : {};
  }
  expect(shownBy(effects).some(({ type }) => type === "call-restarted")).toBe(true);
  expect(shownBy(effects).at(-1)).toMatchObject({ partial: false, props: { todos: [{ id: "T1" }, { id: "T2" }] } });
});

it("asks a server without schemas in words, and is answered", async () => {
  const server = await startModelServer([say.text(WHOLE)], { schemas: false });
  expect(await (await modelResearch(server)).plan(planningView(QUESTION), plainEffects())).toEqual(PLANNED);
  expect(server.requests.map(({ body }) => (body["response_format"] as { type: string } | undefined)?.type)).toEqual([
    "json_schema",
    "json_schema",
    undefined,
  ]);
});

it("is emitted partial and complete even if the server does not stream", async () => {
  const server = await startModelServer([say.asJson(say.text(WHOLE))]);
  const effects = plainEffects();
  await (await modelResearch(server)).plan(planningView(QUESTION), effects);
  expect(shownBy(effects).map((event) => event.type === "component" && event.partial)).toEqual([true, false]);
});

it("starts again, and says so, if the stream breaks", async () => {
  const server = await startModelServer([say.breakOff({ after: 40, of: say.text(WHOLE) }), say.text(WHOLE)]);
  const effects = plainEffects();
  expect(await (await modelResearch(server)).plan(planningView(QUESTION), effects)).toEqual(PLANNED);
  const shown = shownBy(effects).map((event) => [event.type, "try" in event ? event.try : 0]);
  expect(shown.filter(([type]) => type === "call-restarted")).toHaveLength(2);
  expect(shown.at(-1)).toEqual(["component", 2]);
});

describe("rules plan", () => {
  it("without a model", async () => {
    const server = await startModelServer([]);
    const plan = await (await modelResearch(server)).plan({ ...planningView(QUESTION), models: null }, plainEffects());
    expect(plan).toEqual({ todos: [expect.objectContaining({ id: "R1" })], needsMorePlanning: false, question: null });
  });

  it("if the model cannot be reached or paid, and the ledger says so", async () => {
    const server = await startModelServer([say.repeat(say.reset({ after: "nothing" }))]);
    const research = await modelResearch(server);
    const unreached = await research.plan(planningView(QUESTION), plainEffects());
    expect(unreached).toMatchObject({ todos: [{ id: "R1" }], spent: null, ledger: [{ target: "plan", failure: "unreachable" }] });
    const view = planningView(QUESTION);
    const unpaid = await research.plan({ ...view, limits: { ...view.limits, tokens: 10 } }, plainEffects());
    expect(unpaid).toMatchObject({ todos: [{ id: "R1" }], spent: "token_budget", ledger: [{ failure: "token_budget" }] });
  });

  it("but never if the model refuses", async () => {
    const server = await startModelServer([say.status(401)]);
    await expect((await modelResearch(server)).plan(planningView(QUESTION), plainEffects())).rejects.toMatchObject({
      code: "model_refused",
    });
  });
});

it("asks each role's own model", async () => {
  const server = await startModelServer([say.component("planner-response", PROPS)]);
  const models = { ...MODELS, roles: { planner: "large" } };
  await (await modelResearch(server)).plan({ ...planningView(QUESTION), models }, plainEffects());
  expect(server.requests[0]?.body.model).toBe("large");
});
