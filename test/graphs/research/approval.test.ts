import { expect, it } from "vitest";
import { type PlannedTodo, PlanSchema } from "../../../src/domain/plan.ts";
import type { ResearchRequest } from "../../../src/domain/request.ts";
import type { Run } from "../../../src/domain/run.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { expectSameAgain, research, statuses, watch } from "./ask-research.ts";

const QUESTION = "奥尔德穆尔灯塔由谁建造？";
const BUILDER = "Who built the lighthouse of Aldermoor?";
const WALL = "What is the harbour wall made of?";
const LAMP = "What does the lamp of the lighthouse of Aldermoor burn?";

/** Replaced by the scripted planner. */
const MODEL = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "m" };

const planner = () =>
  scriptedResearch({
    plan: ({ rejection }) => ({ todos: rejection === null ? [todo("T1", BUILDER), todo("T2", WALL)] : [todo("W1", LAMP)] }),
  });

function pendingTodos({ pending }: Run): PlannedTodo[] {
  return PlanSchema.parse(pending[0]?.plan).todos;
}

it("waits with its plan, accepts an edited one in another process, and executes exactly that", async () => {
  const parts = { research: planner() };
  const { dossier, run } = await research({ question: QUESTION, planApproval: true }, { parts });
  expect(run.status).toBe("waiting");
  expect(run.pending).toMatchObject([{ id: "0.0", path: "", kind: "plan", prompt: "是否执行这 2 项任务？", call: null }]);
  const todos = pendingTodos(run);
  expect(todos.map(({ id }) => id)).toEqual(["T1", "T2"]);
  expect(statuses(run.todos)).toBe("T1 pending, T2 pending");
  expect(run.usage.sourceRequests).toBe(0);
  await dossier.close(0);

  const second = await openDossier({ parts: { research: planner() }, dir: dossier.dir });
  await second.recover();
  // The second todo moved to the front and reworded, a new one added, the first one left out.
  const plan = {
    todos: [
      { ...todos[1], description: "Is the harbour wall of Aldermoor made of granite? 港墙" },
      todo("N1", LAMP, { dependsOn: ["T2"] }),
    ],
  };
  await second.runs.answer(TENANT, run.id, { plan: plan as never });
  const done = await watch(second, run.id);
  expect(done.run.error).toBeNull();
  expect(done.run.todos?.map(({ id, description, priority, status }) => [id, description, priority, status])).toEqual([
    ["T2", "Is the harbour wall of Aldermoor made of granite? 港墙", 1, "completed"],
    ["N1", LAMP, 2, "completed"],
  ]);
  await expectSameAgain({ dossier: second, run: done.run }, { research: planner() });
});

it("refuses a plan that cannot be executed, names every error, and keeps waiting", async () => {
  const { dossier, run } = await research({ question: QUESTION, planApproval: true }, { parts: { research: planner() } });
  const refused = async (todos: unknown[]) => {
    const error = await dossier.runs.answer(TENANT, run.id, { plan: { todos } as never }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "invalid_request" });
    return (error as { faults: { path: string }[] }).faults.map(({ path }) => path);
  };
  expect(await refused([])).toEqual(["/plan/todos"]);
  expect(await refused([todo("甲", "a", { dependsOn: ["gone"] }), { id: "../x y", description: "" }])).toEqual([
    "/plan/todos/1/description",
    "/plan/todos/0/dependsOn/0",
    "/plan/todos/1/id",
  ]);
  const contradiction = dossier.runs.answer(TENANT, run.id, { approve: false, plan: { todos: [todo("A", "a")] } as never });
  await expect(contradiction).rejects.toMatchObject({ code: "invalid_request", faults: [{ path: "/approve" }] });
  expect((await dossier.runs.get(TENANT, run.id)).status).toBe("waiting");
  await dossier.runs.answer(TENANT, run.id, { approve: true });
  expect(statuses((await dossier.finish(run.id)).todos)).toBe("T1 completed, T2 completed");
});

it("sends the reason of a rejection to the planner, and asks the user again", async () => {
  const parts = { research: planner() };
  const { dossier, run } = await research({ question: QUESTION, planApproval: true }, { parts });
  await dossier.runs.answer(TENANT, run.id, { approve: false, reason: "只要灯" });
  const again = await dossier.finish(run.id);
  expect(parts.research.planned[1]).toMatchObject({ rejection: "只要灯", todos: [{ id: "T1" }, { id: "T2" }] });
  expect(pendingTodos(again).map(({ id }) => id)).toEqual(["W1"]);
  await dossier.runs.answer(TENANT, run.id, { approve: true });
  expect(statuses((await dossier.finish(run.id)).todos)).toBe("W1 completed");
});

it("ends without an answer at the third rejection", async () => {
  const parts = { research: planner() };
  const { dossier, run } = await research({ question: QUESTION, planApproval: true, model: "m" }, { parts, environment: MODEL });
  for (let round = 1; round <= 3; round += 1) {
    expect((await dossier.finish(run.id)).status).toBe("waiting");
    await dossier.runs.answer(TENANT, run.id, { approve: false, reason: `no ${round}` });
  }
  const ended = await watch(dossier, run.id);
  expect(ended.run.termination).toEqual({ reason: "no_answer", node: "approve", detail: "the user rejected 3 plans" });
  expect(ended.run.usage.sourceRequests).toBe(0);
  expect(ended.run.todos).toMatchObject([{ status: "skipped", feedback: "在它完成之前，本次运行已经结束。" }]);
  expect(parts.research.planned).toHaveLength(3);
  await expectSameAgain(ended, { research: planner() });
});

it("offers the same plan for editing if the planner may not be called again", async () => {
  const parts = {
    research: scriptedResearch({ plan: (_, round) => ({ todos: [todo("T1", BUILDER)], needsMorePlanning: round < 3 }) }),
  };
  const { dossier, run } = await research({ question: QUESTION, planApproval: true }, { parts });
  await dossier.runs.answer(TENANT, run.id, { approve: false, reason: "还要墙" });
  const again = await dossier.finish(run.id);
  expect(parts.research.planned).toHaveLength(3);
  expect(again.pending.map(({ prompt }) => prompt)).toEqual(["不再重新制定计划：请自行修改计划，或批准它。是否执行这 1 项任务？"]);
  await dossier.runs.answer(TENANT, run.id, { plan: { todos: [todo("T1", BUILDER), todo("T2", WALL)] } as never });
  expect(statuses((await dossier.finish(run.id)).todos)).toBe("T1 completed, T2 completed");
});

it.each([
  [
    "Who built the lighthouse of Aldermoor, and what is the harbour wall made of?",
    "No model has read your reason, and rules cannot use it: edit the plan yourself, or approve it. Shall this todo be executed?",
  ],
  ["奥尔德穆尔灯塔由谁设计？", "没有模型阅读您的理由，规则也无法使用它：请自行修改计划，或批准它。是否执行这 1 项任务？"],
])("says that rules cannot use a reason, and offers “%s” once more as a whole", async (question, prompt) => {
  const { dossier, run } = await research({ question, planApproval: true }, {});
  await dossier.runs.answer(TENANT, run.id, { approve: false, reason: "票价也要" });
  const again = await dossier.finish(run.id);
  expect(again.pending.map((pending) => pending.prompt)).toEqual([prompt]);
  expect(pendingTodos(again).map(({ description }) => description)).toEqual([question]);
  await dossier.runs.answer(TENANT, run.id, { approve: false, reason: "票价！" });
  const ended = await watch(dossier, run.id);
  expect(ended.run.termination).toEqual({ reason: "no_answer", node: "approve", detail: "the user rejected 2 plans" });
  await expectSameAgain(ended, {});
});

const asking = () => ({
  research: scriptedResearch({ plan: (_, round) => ({ todos: [todo("T1", BUILDER)], question: `哪一座灯塔（${round}）？` }) }),
});

it("asks the user the planner's question once, and sends the answer to the planner, which may not ask again", async () => {
  const parts = asking();
  const { dossier, run } = await research({ question: QUESTION, depth: "deep" }, { parts });
  expect(run.pending).toMatchObject([{ kind: "question", path: "", prompt: "哪一座灯塔（1）？", plan: null }]);
  await dossier.runs.answer(TENANT, run.id, { answer: "奥尔德穆尔的" });
  const done = await watch(dossier, run.id);
  expect(parts.research.planned.map(({ asked, mayAsk }) => [asked, mayAsk])).toEqual([
    [[], true],
    [[{ question: "哪一座灯塔（1）？", answer: "奥尔德穆尔的" }], false],
  ]);
  expect(done.run.termination?.reason).toBe("completed");
  await expectSameAgain(done, parts);
});

it.each<Partial<ResearchRequest>>([{ depth: "deep", clarify: false }, {}])("never asks the user with %j", async (asked) => {
  const parts = asking();
  const { run } = await research({ question: QUESTION, ...asked }, { parts });
  expect(parts.research.planned.map(({ mayAsk }) => mayAsk)).toEqual([false]);
  expect(run.termination?.reason).toBe("completed");
});

it("refuses a request for plan approval if no plan will be made", async () => {
  const dossier = await openDossier();
  await expect(dossier.start({ question: QUESTION, planApproval: true })).rejects.toMatchObject({
    code: "invalid_request",
    faults: [{ path: "/planApproval" }],
  });
});
