import { expect, it } from "vitest";
import { BUILDER, done, failed, lastSaid, plan, verdict, WALL } from "../../fakes/scripted-roles.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const TODOS = [
  { id: "T1", description: BUILDER },
  { id: "二", description: WALL },
];
const QUESTION = `${BUILDER} ${WALL}`;
const stranger = (completed: boolean) => verdict(completed, [{ id: "task-7", completed, feedback: "另一个任务" }]);

it("sends a verdict that judges no todo of the plan back once, and uses the next one", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [plan(TODOS)],
      "verifier-response": [stranger(true), verdict(true, [{ id: " t1 ", completed: true, feedback: "" }])],
    },
    { question: QUESTION },
  );
  const [, corrected] = askedOf(asked, "verifier-response");
  expect(lastSaid(corrected!)).toContain("none of these ids is that of a task; the tasks are T1, 二.");
  expect(askedOf(asked, "verifier-response")).toHaveLength(2);
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  await expectReplay(asked);
});

it("lets rules judge if the second verdict judges no todo of the plan either", async () => {
  const asked = await researchByModel(
    { "planner-response": [plan(TODOS.slice(0, 1))], "verifier-response": [stranger(true)] },
    { question: BUILDER },
  );
  expect(askedOf(asked, "verifier-response")).toHaveLength(2);
  expect(asked.of("model-failed")).toMatchObject([{ node: "verify", failure: "model_output" }]);
  expect(statuses(asked.run.todos)).toBe("T1 completed");
  await expectReplay(asked);
});

it("gives a todo that a verdict leaves out the status of its execution", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [plan(TODOS)],
      "executor-response": ({ said }) => (said.includes("Task 二:") ? failed("没有找到。") : done()),
      "verifier-response": [verdict(true, [{ id: "T1", completed: true, feedback: "" }])],
    },
    { question: QUESTION },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed, 二 failed");
  expect(asked.run.termination).toEqual({
    reason: "no_progress",
    node: "verify",
    detail: `not answered: 二 ${WALL}`,
  });
});
