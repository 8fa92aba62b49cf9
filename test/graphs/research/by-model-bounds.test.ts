import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import {
  BUILDER,
  BUILT,
  done,
  failed,
  GRANITE,
  lastSaid,
  NOWHERE,
  plan,
  summary,
  verdict,
  WALL,
  YEAR,
} from "../../fakes/scripted-roles.ts";
import { countsOf } from "../../helpers/claims.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { statuses, watch } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const QUESTION = `${BUILDER} ${NOWHERE}`;
const TWO = [
  { id: "T1", description: BUILDER },
  { id: "T2", description: NOWHERE, doneCriteria: "画家的名字" },
];

it("asks a planner that never stops three times, and shows it its own plan each time", async () => {
  const asked = await researchByModel({ "planner-response": [plan(TWO.slice(0, 1), { needsMorePlanning: true })] }, { question: BUILDER });
  const planned = askedOf(asked, "planner-response");
  expect(planned).toHaveLength(3);
  expect(lastSaid(planned[1]!)).toContain("Planned in round: 1\nStatus: pending");
  expect(asked.run.termination?.reason).toBe("completed");
  expect(statuses(asked.run.todos)).toBe("T1 completed");
});

it("waits with the planner's question, and sends the answer to the planner", async () => {
  const asked = await researchByModel(
    { "planner-response": [plan([], { question: "哪一座灯塔？" }), plan(TWO.slice(0, 1))] },
    { question: "谁建了灯塔？", depth: "deep" },
  );
  expect(asked.run.pending).toMatchObject([{ kind: "question", path: "", prompt: "哪一座灯塔？" }]);
  await asked.dossier.runs.answer(TENANT, asked.run.id, { answer: "奥尔德穆尔的 (Aldermoor)" });
  const ended = await watch(asked.dossier, asked.run.id);
  expect(lastSaid(askedOf(asked, "planner-response")[1]!)).toContain("- 哪一座灯塔？\n  Answer: 奥尔德穆尔的 (Aldermoor)");
  expect(statuses(ended.run.todos)).toBe("T1 completed");
  await expectReplay({ ...asked, run: ended.run });
});

it("ends although the verifier never agrees, and says what was not accepted", async () => {
  const rejected = verdict(false, [{ id: "T1", completed: false, feedback: "不可信" }], "还不够");
  const asked = await researchByModel(
    { "planner-response": [plan(TWO.slice(0, 1))], "verifier-response": [rejected] },
    { question: BUILDER },
  );
  // The second plan brought nothing new, so there is no third.
  expect(askedOf(asked, "planner-response")).toHaveLength(2);
  expect(askedOf(asked, "verifier-response")).toHaveLength(2);
  expect(lastSaid(askedOf(asked, "planner-response")[1]!)).toMatch(/还不够[\s\S]*|Said of it: 不可信/);
  expect(asked.run.termination).toEqual({
    reason: "no_progress",
    node: "verify",
    detail: `not answered: T1 ${BUILDER}`,
  });
  expect(asked.run.status).toBe("succeeded");
  expect(asked.run.todos).toMatchObject([{ status: "failed", feedback: "不可信" }]);
});

it("plans a failed todo again with the verifier's feedback, and it succeeds", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [
        plan([TWO[0]!, { id: "T2", description: "港墙是什么？" }]),
        plan([
          { id: "T1", description: BUILDER },
          { id: "T2", description: WALL },
        ]),
      ],
      "executor-response": ({ said }) => (said.includes("Task T2:\n港墙是什么？") ? failed("没有找到。") : done()),
      "verifier-response": ({ count }) => verdict(count > 0, [{ id: "T2", completed: count > 0, feedback: "用英文找" }]),
    },
    { question: `${BUILDER} ${WALL}` },
  );
  const replanning = lastSaid(askedOf(asked, "planner-response")[1]!);
  expect(replanning).toContain("Planned in round: 1\nStatus: failed");
  expect(replanning).toContain("Said of it: 用英文找");
  expect(asked.run.todos?.map(({ id, status, planRound }) => [id, status, planRound])).toEqual([
    ["T1", "completed", 1],
    ["T2", "completed", 2],
  ]);
  expect(asked.run.termination?.reason).toBe("completed");
  expect(asked.run.report?.citations.map(({ quote }) => quote).toSorted()).toEqual([GRANITE, BUILT].toSorted());
  await expectReplay(asked);
});

it.each([
  ["names", ["没有找到肖像的画家。"], ["没有找到肖像的画家。"]],
  ["leaves out", [], [`${NOWHERE}（资料里没有。）`]],
])("skips a todo that no search can help, and the report says so if the summary %s it", async (_, named, unanswered) => {
  const skip = say.component("executor-response", {
    taskCompleted: false,
    shouldContinue: false,
    nextAction: "skip",
    summary: "资料里没有。",
  });
  const asked = await researchByModel(
    {
      "planner-response": [plan([...TWO, { id: "T3", description: YEAR, dependsOn: ["T2"] }])],
      "executor-response": ({ said }) => (said.includes("Task T2:") ? skip : done()),
      "summary-response": summary(named),
    },
    { question: QUESTION },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed, T2 skipped, T3 skipped");
  expect(asked.run.todos?.[1]?.feedback).toBe("资料里没有。");
  expect(askedOf(asked, "planner-response")).toHaveLength(1);
  expect(asked.run.termination).toMatchObject({ reason: "completed" });
  expect(asked.run.report?.missing?.slice(0, 1)).toEqual(unanswered);
  expect(asked.run.report?.markdown).toContain(`Missing: ${unanswered[0]?.replace(/。$/, "")}`);
  expect(lastSaid(askedOf(asked, "summary-response")[0]!)).toContain("skipped: 资料里没有。");
});

it("executes the plan as the user has edited it, and asks no planner about it again", async () => {
  const asked = await researchByModel({ "planner-response": [plan(TWO)] }, { question: QUESTION, planApproval: true });
  expect(asked.run.pending).toMatchObject([{ kind: "plan", plan: { todos: [{ id: "T1" }, { id: "T2", doneCriteria: "画家的名字" }] } }]);
  expect(asked.model.requests).toHaveLength(1);
  const edited = {
    todos: [
      { id: "T2", description: WALL },
      { id: "新", description: YEAR, dependsOn: ["T2"] },
    ],
  };
  await asked.dossier.runs.answer(TENANT, asked.run.id, { plan: edited as never });
  const ended = await watch(asked.dossier, asked.run.id);
  expect(ended.run.todos?.map(({ id, description, status }) => [id, description, status])).toEqual([
    ["T2", WALL, "completed"],
    ["新", YEAR, "completed"],
  ]);
  expect(askedOf(asked, "planner-response")).toHaveLength(1);
  expect(countsOf(ended.run.report)).toEqual({ sentences: 2, checked: 2, unverified: 0 });
  await expectReplay({ ...asked, run: ended.run });
});

it("ends with a reason of its own if the verifier gives none", async () => {
  const asked = await researchByModel(
    { "planner-response": [plan(TWO.slice(0, 1))], "verifier-response": [verdict(false)] },
    { question: BUILDER },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed");
  expect(asked.run.termination).toEqual({
    reason: "no_progress",
    node: "verify",
    detail: "the verifier: What was found was not accepted.",
  });
  expect(askedOf(asked, "planner-response")).toHaveLength(2);
  expect(lastSaid(askedOf(asked, "planner-response")[1]!)).toContain("What was found was not accepted.");
});

it.each([
  [6, 5],
  [4, 3],
  [1, 1],
])("reaches a report with %s model calls, by rules if a call is not allowed, and says so", async (modelCalls, made) => {
  const asked = await researchByModel(
    { "planner-response": [plan([TWO[0]!, { id: "T2", description: WALL }])] },
    { question: `${BUILDER} ${WALL}`, limits: { modelCalls } },
  );
  expect([asked.run.error, asked.run.status]).toEqual([null, "succeeded"]);
  expect([asked.run.usage.modelCalls, asked.model.requests.length]).toEqual([made, made]);
  expect(asked.run.termination).toEqual({
    reason: "completed",
    node: "summarize",
    detail: "model_call_cap: rules did part of the model's work; the ledger says which",
  });
  expect(asked.run.todos?.every(({ status }) => status === "completed")).toBe(true);
  expect(asked.run.report?.citations.map(({ quote }) => quote)).toEqual(expect.arrayContaining([BUILT, GRANITE]));
  await expectReplay(asked);
});
