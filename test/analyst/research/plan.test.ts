import { expect, it } from "vitest";
import { PlannerResponseSchema } from "../../../src/domain/components.ts";
import { createExtractiveResearch } from "../../../src/quoting/research.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { planningView, todoOf } from "./research-views.ts";

const research = createExtractiveResearch();
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
  const todos = [todoOf("Who built it?", { status: "failed" }), todoOf("When?", { id: "T2" })];
  expect(await planned("Who built it? When?", { round: 2, todos, feedback: "Nothing quoted for 1 of 2." })).toEqual([]);
});

it.each([
  ["云岭茶和沙洲茶是什么？", "不要拆开"],
  ["(a) rental deposit (b) subletting", "ask about heating too"],
])("offers a rejected plan unchanged, and says that the reason was not used: %j", async (question, rejection) => {
  const todos = [
    todoOf("其一？", { id: "甲", status: "pending", dependsOn: ["T2"] }),
    todoOf("the second", { id: "T2", status: "pending" }),
  ];
  const planning = await research.plan(planningView(question, { round: 2, todos, rejection }), plainEffects());
  expect(planning.todos.map(({ id, description, dependsOn }) => [id, description, dependsOn])).toEqual([
    ["甲", "其一？", ["T2"]],
    ["T2", "the second", []],
  ]);
  expect(planning).toMatchObject({ reasonUnused: true });
});
