import { expect, it } from "vitest";
import { BUILDER, BUILT, GRANITE, lastSaid, NOWHERE, plan, verdict, WALL } from "../../fakes/scripted-roles.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const TWO = [
  { id: "T1", description: BUILDER },
  { id: "T2", description: NOWHERE, doneCriteria: "画家的名字" },
];

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
