import { expect, it } from "vitest";
import { BUILDER } from "../../fakes/scripted-roles.ts";
import { expectSameAgain, type Researched, research, statuses } from "./ask-research.ts";

const WALL = "What is the harbour wall made of?";

function componentsOf({ events }: Researched): string[] {
  return events.flatMap((event) => (event.type === "component" && event.component !== "todo-list" ? [event.component] : []));
}

it.each([
  [`${BUILDER} ${WALL}`, "built in 1874"],
  ["奥尔德穆尔灯塔由谁设计？", "艾达·彭罗斯"],
])("makes one todo from a question, and its report has the quotes for it: %s", async (question, quote) => {
  const done = await research({ question }, {});
  expect(done.run.todos).toMatchObject([{ id: "T1", description: question, status: "completed", rounds: 1, answeredBy: "execution" }]);
  expect(done.run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  expect(done.run.report?.citations.map((citation) => citation.quote).join()).toContain(quote);
  expect(done.run.report?.coverage.unsupported).toBe(0);
  expect(done.run.usage.modelCalls).toBe(0);
  expect(componentsOf(done)).toEqual(["planner-response", "executor-response", "verifier-response", "summary-response"]);
  await expectSameAgain(done, {});
});

it.each([1, 12])("reaches a report within %i steps", async (steps) => {
  const { run } = await research({ question: BUILDER, limits: { steps } }, {});
  expect([run.error, statuses(run.todos)]).toEqual([null, "T1 completed"]);
});
