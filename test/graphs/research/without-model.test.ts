import { expect, it } from "vitest";
import { BUILDER, BUILT, NOWHERE } from "../../fakes/scripted-roles.ts";
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
  expect(done.run.termination).toEqual({ reason: "completed", node: "summarise", detail: null });
  expect(done.run.report?.citations.map((citation) => citation.quote).join()).toContain(quote);
  expect(done.run.report?.coverage.unsupported).toBe(0);
  expect(done.run.usage.modelCalls).toBe(0);
  expect(componentsOf(done)).toEqual(["planner-response", "executor-response", "verifier-response", "summary-response"]);
  await expectSameAgain(done, {});
});

it("makes a todo from each item of a list, and lists those without quotes", async () => {
  const question = `About the coast:\n1. ${BUILDER}\n2. ${NOWHERE}\n3. ${WALL}`;
  const done = await research({ question }, {});
  expect(done.run.todos?.map(({ description }) => description)).toEqual([BUILDER, NOWHERE, WALL]);
  expect(statuses(done.run.todos)).toBe("T1 completed, T2 failed, T3 completed");
  expect(done.run.todos?.[1]).toMatchObject({ rounds: 1, feedback: expect.stringMatching(/^Nothing quoted\. ./) });
  const { report } = done.run;
  const sections = report?.claims.map(({ section }) => section).join("\n");
  for (const item of [BUILDER, WALL]) expect(sections).toContain(item);
  expect(report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  expect(report?.missing).toEqual([expect.stringMatching(new RegExp(`^${NOWHERE}（Nothing quoted\\. .`))]);
  expect(done.run.termination).toEqual({ reason: "no_progress", node: "verify", detail: `not answered: T2 ${NOWHERE}` });
  await expectSameAgain(done, {});
});

it.each([1, 8, 12, 50])("reaches a report within %i steps", async (steps) => {
  const { run } = await research({ question: `${BUILDER}\n${NOWHERE}`, limits: { steps } }, {});
  expect([run.error, statuses(run.todos)]).toEqual([null, "T1 completed, T2 failed"]);
});
