import { expect, it } from "vitest";
import { BUILDER, lastSaid, plan, verdict, WALL } from "../../fakes/scripted-roles.ts";
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
