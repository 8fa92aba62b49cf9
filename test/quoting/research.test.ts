import { describe, expect, it } from "vitest";
import { PlannerResponseSchema } from "../../src/domain/components.ts";
import type { Todo } from "../../src/domain/plan.ts";
import type { Executed, Findings } from "../../src/domain/ports/analyst.ts";
import { createExtractiveResearch } from "../../src/quoting/research.ts";
import { findingsOf, planningView, todoOf, viewOf } from "../analyst/research/research-under-test.ts";
import { UNVERIFIED } from "../helpers/claims.ts";
import { plainEffects } from "../helpers/plain-effects.ts";

const research = createExtractiveResearch();
const executedOf = (description: string, findings: Findings, { id = "T1", ...more }: Partial<Todo> = {}): Executed => ({
  todo: todoOf(id, description, more),
  findings,
});
const FOUND = findingsOf("a:The Orin Bridge is green.");
const UNQUOTED = { ...FOUND, claims: FOUND.claims.map((claim) => ({ ...claim, citations: [], ...UNVERIFIED })), citations: [] };

describe("a plan without a model", () => {
  const planned = async (...view: Parameters<typeof planningView>) => {
    const { todos } = await research.plan(planningView(...view), plainEffects());
    return todos.map(({ id, description }) => [id, description]);
  };

  it.each([
    "Which is deeper, Lake Kest or Lake Ardle?",
    "Who built the tower? When was it opened?",
    "雾川市和银湾市的人口和面积分别是多少？",
    "Procter and Gamble",
    "Who built the tower?\n\nThe one by the harbour, please.",
    "Which of these is longer?\n- Orin Bridge\n- Harrow Bridge",
    "1. Who built it?\n2. When was it opened?",
    "请回答以下问题：\n1、灯塔由谁建造\n2、灯塔有多高",
  ])("turns a question, also a list, into one todo with the question's words: %j", async (question) => {
    expect(await planned(question)).toEqual([["T1", question]]);
  });

  it("shows its plan as a planner's component, in the language of the question", async () => {
    const effects = plainEffects();
    const planning = await research.plan(planningView("雾川大桥是哪一年通车的？"), effects);
    const todo = { id: "T1", description: "雾川大桥是哪一年通车的？", doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [] };
    expect(planning).toEqual({ todos: [todo], needsMorePlanning: false, question: null });
    const [event] = effects.events;
    expect(event).toMatchObject({ type: "component", component: "planner-response", partial: false });
    const shown = event?.type === "component" ? { type: "component", component: event.component, props: event.props } : null;
    expect(PlannerResponseSchema.parse(shown).props).toMatchObject({
      reasoning: "没有模型时，整个问题就是一项任务。",
      todos: [todo],
    });
  });

  it("does not replan after a failure", async () => {
    const todos = [todoOf("T1", "Who built it?", { status: "failed" }), todoOf("T2", "When?")];
    expect(await planned("Who built it? When?", { round: 2, todos, feedback: "Nothing quoted for 1 of 2." })).toEqual([]);
  });

  it.each([
    ["云岭茶和沙洲茶是什么？", "不要拆开"],
    ["(a) rental deposit (b) subletting", "ask about heating too"],
  ])("offers a rejected plan unchanged, and says that the reason was not used: %j", async (question, rejection) => {
    const todos = [todoOf("甲", "其一？", { status: "pending", dependsOn: ["T2"] }), todoOf("T2", "the second", { status: "pending" })];
    const planning = await research.plan(planningView(question, { round: 2, todos, rejection }), plainEffects());
    expect(planning.todos.map(({ id, description, dependsOn }) => [id, description, dependsOn])).toEqual([
      ["甲", "其一？", ["T2"]],
      ["T2", "the second", []],
    ]);
    expect(planning).toMatchObject({ reasonUnused: true });
  });
});

describe("a verdict without a model", () => {
  it.each([
    ["How long is the Orin Bridge?", FOUND, "completed", "The Orin Bridge is green."],
    ["How long is the Orin Bridge?", findingsOf(), "failed", "Nothing quoted. Nothing was found."],
    ["桥有多长？", { ...findingsOf(), reason: null }, "failed", "没有引文。"],
    ["What is 19 + 23?", UNQUOTED, "failed", "Nothing quoted."],
  ])(
    "a todo with a quote is completed, whatever the quote says, and is not searched again: %s",
    async (question, findings, status, summary) => {
      const effects = plainEffects();
      const view = { ...viewOf(question), todo: todoOf("T1", question), round: 1, roundsLeft: 9, findings };
      const assessment = { taskCompleted: status === "completed", shouldContinue: false, nextAction: "complete", summary, nextQuery: null };
      expect(await research.assess(view, effects)).toEqual(assessment);
      const props = { ...assessment, status, todoId: "T1" };
      expect(effects.events).toEqual([{ type: "component", component: "executor-response", partial: false, props }]);
    },
  );

  it.each([
    ["Who built it?", ["Quoted.", "Nothing quoted. Nothing was found."], "Nothing quoted. Nothing was found."],
    ["谁建的？", ["有引文。", "没有引文。Nothing was found."], "没有引文。Nothing was found."],
  ])("the verdict on each todo is whether it has a quote: %s", async (question, feedback, overallFeedback) => {
    const effects = plainEffects();
    const executed = [executedOf("A?", FOUND), executedOf("B?", findingsOf(), { id: "T2", status: "failed" })];
    const verdict = await research.verify({ ...viewOf(question), role: "verifier", executed }, effects);
    expect(verdict).toEqual({
      allCompleted: false,
      overallFeedback,
      tasks: [
        { id: "T1", completed: true, feedback: feedback[0] },
        { id: "T2", completed: false, feedback: feedback[1] },
      ],
    });
    expect(effects.events).toMatchObject([{ component: "verifier-response", partial: false, props: verdict }]);
  });

  it("gives no verdict in place of another judge", async () => {
    const effects = plainEffects();
    const executed = [executedOf("A?", findingsOf())];
    const verdict = await research.verify({ ...viewOf("A?"), role: "reviewer", executed }, effects);
    expect([verdict, effects.events]).toEqual([{ allCompleted: true, overallFeedback: "", tasks: [] }, []]);
  });
});

describe("a summary without a model", () => {
  const summarize = (question: string, executed: readonly Executed[], effects = plainEffects()) =>
    research.summarize({ ...viewOf(question), readings: [], executed }, effects);

  it("puts findings under their questions in the order of the plan, each passage with one number", async () => {
    const effects = plainEffects();
    const both = "c:The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.";
    const executed = [
      executedOf("How long is the Orin Bridge?", findingsOf("a:The Orin Bridge is 1,240 metres long.", both)),
      executedOf("How long is the Harrow Bridge?", findingsOf(both, "b:The Harrow Bridge is 2,310 metres long."), { id: "T2" }),
    ];
    const summary = await summarize("How long are they?", executed, effects);
    expect(summary.claims.map(({ section, text, citations }) => [section, text, citations])).toEqual([
      ["How long is the Orin Bridge?", "The Orin Bridge is 1,240 metres long.", [1]],
      [
        "How long is the Orin Bridge? / How long is the Harrow Bridge?",
        "The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.",
        [2],
      ],
      ["How long is the Harrow Bridge?", "The Harrow Bridge is 2,310 metres long.", [3]],
    ]);
    expect(summary.citations.map(({ id, sourceId }) => [id, sourceId])).toEqual([
      [1, "a"],
      [2, "c"],
      [3, "b"],
    ]);
    expect(summary).toMatchObject({ reason: null, missing: [] });
    const answer =
      "The Orin Bridge is 1,240 metres long. [1]\n\nThe Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres. [2]\n\nThe Harrow Bridge is 2,310 metres long. [3]";
    expect(effects.events).toEqual([
      { type: "component", component: "summary-response", partial: false, props: { answer, answers: null, missing: [] } },
    ]);
  });

  it("names the todos without quotes, with the reason", async () => {
    const executed = [
      executedOf("雾川大桥是谁设计的？", findingsOf("a:雾川大桥由工程师林澈设计。")),
      executedOf("雾川大桥的造价", findingsOf(), { id: "T2", status: "failed", feedback: "没有引文。" }),
      executedOf("height of the mast", findingsOf(), { id: "T3", status: "skipped" }),
    ];
    const summary = await summarize("雾川大桥？", executed);
    expect(summary.claims.map(({ text }) => text)).toEqual(["雾川大桥由工程师林澈设计。"]);
    expect(summary.missing).toEqual(["雾川大桥的造价：没有引文。", "height of the mast: Nothing was found."]);
  });

  it("keeps the quotes of a todo that a judge did not accept", async () => {
    const executed = [executedOf("Is it old?", FOUND), executedOf("桥有多长？", FOUND, { id: "T2", status: "failed", feedback: "太弱" })];
    const summary = await summarize("?", executed);
    expect(summary.claims.map(({ section, text }) => [section, text])).toEqual([["Is it old? / 桥有多长？", "The Orin Bridge is green."]]);
    expect(summary.missing).toEqual(["桥有多长？（太弱）"]);
  });

  it("keeps the sections and all sentences of a single question, and says why there are none", async () => {
    const found = findingsOf("a:The Orin Bridge is green.", "b:The Orin Bridge is 1,240 metres long.");
    const claims = found.claims.map((claim) => ({ ...claim, section: "Care" }));
    expect((await summarize("How long?", [executedOf("How long?", { ...found, claims })])).claims).toEqual(claims);
    const nothing = executedOf("Who?", { ...findingsOf(), reason: "No source could be searched." }, { status: "failed" });
    expect(await summarize("Who?", [nothing])).toMatchObject({
      claims: [],
      reason: "No source could be searched.",
      missing: ["Who? (No source could be searched.)"],
    });
  });
});
