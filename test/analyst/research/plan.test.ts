import { expect, test } from "vitest";
import { createExtractiveResearch } from "../../../src/analyst/extractive/research/analyst.ts";
import { PlannerResponseSchema } from "../../../src/domain/components.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { planningView, todoOf } from "./research-views.ts";

const research = createExtractiveResearch();

test("a comparison becomes a todo for each thing, side by side, and is shown as a planner's component", async () => {
  const effects = plainEffects();
  const planning = await research.plan(planningView("Which is deeper, Lake Kest or Lake Ardle?"), effects);
  expect(planning).toEqual({
    todos: [
      {
        id: "T1",
        description: "How deep is Lake Kest?",
        doneCriteria: "A passage tells what is asked of “Lake Kest”.",
        keyFacts: [],
        priority: 1,
        dependsOn: [],
      },
      {
        id: "T2",
        description: "How deep is Lake Ardle?",
        doneCriteria: "A passage tells what is asked of “Lake Ardle”.",
        keyFacts: [],
        priority: 1,
        dependsOn: [],
      },
    ],
    needsMorePlanning: false,
    question: null,
  });
  const [event, ...others] = effects.events;
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: "component", component: "planner-response", partial: false });
  const shown = event?.type === "component" ? { type: "component", component: event.component, props: event.props } : null;
  expect(PlannerResponseSchema.parse(shown).props).toMatchObject({
    reasoning: "The question falls into 2 questions.",
    needsMorePlanning: false,
  });
});

test("one plain question is one todo in the user's own words, with criteria in the user's language", async () => {
  const { todos } = await research.plan(planningView("雾川大桥是哪一年通车的？"), plainEffects());
  expect(todos).toEqual([
    {
      id: "T1",
      description: "雾川大桥是哪一年通车的？",
      doneCriteria: "有段落谈到“雾川大桥”并给出日期。",
      keyFacts: [],
      priority: 1,
      dependsOn: [],
    },
  ]);
});

test("what failed is asked once more in its own words under its id, and no third time", async () => {
  const question = "Who founded Tolmere Shipyards, and when was the Harrow Bridge painted?";
  const failed = todoOf("When was the Harrow Bridge painted with seaside colours?", { id: "T2", status: "failed" });
  const before = [todoOf("Who founded Tolmere Shipyards?"), failed];
  const again = await research.plan(planningView(question, { round: 2, todos: before, feedback: "No date." }), plainEffects());
  expect(again.todos).toEqual([
    {
      id: "T2",
      description: "When was the Harrow Bridge painted with seaside colours?",
      doneCriteria: "When was the Harrow Bridge painted with seaside colours?",
      keyFacts: [],
      priority: 1,
      dependsOn: [],
    },
  ]);
  const stillFailed = { ...failed, ...again.todos[0], planRound: 2 };
  const third = planningView(question, { round: 3, todos: [before[0] ?? failed, stillFailed] });
  expect((await research.plan(third, plainEffects())).todos).toEqual([]);
});

test.each([
  ["Compare the depth of Lake Kest and Lake Ardle.", "What is the depth of Lake Kest?", "What is the depth of Lake Ardle?"],
  ["对比星河湖和沙洲湖的深度。", "星河湖的深度是多少？", "沙洲湖的深度是多少？"],
])("where all parts of “%s” have failed in fewer words too, it is asked as a whole, once", async (question, one, other) => {
  const failed = [one, other].map((part, at) => todoOf(part, { id: `T${at + 1}`, doneCriteria: part, status: "failed", planRound: 2 }));
  const view = planningView(question, { round: 3, todos: failed });
  const { todos, anew } = await research.plan(view, plainEffects());
  const criterion = question.replace("Ardle.", "Ardle?").replace("。", "？");
  expect([todos.map(({ id, description, doneCriteria }) => [id, description, doneCriteria]), anew]).toEqual([
    [["T3", question, criterion]],
    true,
  ]);
  const whole = todoOf(question, { id: "T3", doneCriteria: criterion, status: "failed", planRound: 3 });
  expect((await research.plan({ ...view, round: 4, todos: [whole] }, plainEffects())).todos).toEqual([]);
  const partly = [failed[0] ?? whole, { ...(failed[1] ?? whole), status: "completed" as const }];
  expect((await research.plan({ ...view, todos: partly }, plainEffects())).todos).toEqual([]);
});

test.each([
  ["When was the Orin Bridge built, and who designed the cables?", ["When was the Orin Bridge built?", "Who designed the cables?"]],
  ["怎么预约灯塔，电话是谁发明的？", ["怎么预约灯塔？", "电话是谁发明的？"]],
  ["When was it built, and who designed it?", []],
  ["如果下雨，门票怎么退，谁负责？", []],
])("“%s”, asked as a whole in vain, falls into the questions that it joins, where each can be asked alone", async (question, parts) => {
  const { todos: whole } = await research.plan(planningView(question), plainEffects());
  expect(whole.map(({ description }) => description)).toEqual([question]);
  const failed = todoOf(question, { id: "T1", status: "failed", rounds: 2, doneCriteria: whole[0]?.doneCriteria ?? "" });
  const { todos, anew = false } = await research.plan({ ...planningView(question), todos: [failed] }, plainEffects());
  const apart = todos.filter(({ id }) => id !== "T1").map(({ id, description }) => [id, description]);
  expect([apart, anew]).toEqual([parts.map((part, at) => [`T${at + 2}`, part]), parts.length > 0]);
});

test("a rejected plan is replaced by the question as a whole", async () => {
  const question = "云岭茶和沙洲茶有什么区别？";
  const before = [todoOf("云岭茶是什么？", { status: "pending" }), todoOf("沙洲茶是什么？", { id: "T2", status: "pending" })];
  const view = planningView(question, { round: 2, todos: before, rejection: "不要拆开" });
  expect((await research.plan(view, plainEffects())).todos.map(({ description }) => description)).toEqual([question]);
});

test("the conversation says what a pronoun means", async () => {
  const history = [{ question: "How long is the Orin Bridge?", answer: "1,240 metres." }];
  const { todos } = await research.plan(planningView("When was it opened and who designed it?", { history }), plainEffects());
  expect(todos.map(({ description }) => description)).toEqual(["When was the Orin Bridge opened?", "Who designed the Orin Bridge?"]);
});
