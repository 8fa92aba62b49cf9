import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { BUILDER, BUILT, failed, plan, verdict, YEAR, YEAR_QUOTE } from "../../fakes/scripted-roles.ts";
import { statuses } from "./ask-research.ts";
import { expectReplay, researchByModel } from "./roles-under-test.ts";

const WORDS = "this model takes one tool call at a time";
const REFUSED = say.status(403, { error: { message: WORDS } });
const ONE = [{ id: "T1", description: BUILDER }];
const SEARCH = say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor 奥尔德穆尔 灯塔" } }]);
const unaccepted = verdict(false, [{ id: "T1", completed: false, feedback: "Say more." }], "Say more.");

it.each([
  ["writer of a todo", "summarize", { "planner-response": [plan(ONE)], text: [REFUSED] }],
  ["judge of a todo", "assess", { "planner-response": [plan(ONE)], "executor-response": [REFUSED] }],
  ["verifier", "verify", { "planner-response": [plan(ONE)], "verifier-response": [REFUSED] }],
  ["planner of the second plan", "plan", { "planner-response": [plan(ONE), REFUSED], "verifier-response": [unaccepted] }],
  ["summary", "summarize", { "planner-response": [plan(ONE)], "summary-response": [REFUSED] }],
  ["agent of a todo", "think", { "planner-response": [plan([{ ...ONE[0], by: "agent" }])], tools: [SEARCH, REFUSED] }],
])("a refused call of the %s loses nothing that was found, and the ledger says why", async (_, node, answers) => {
  const asked = await researchByModel(answers, { question: BUILDER });
  expect([asked.run.status, asked.run.error]).toEqual(["succeeded", null]);
  expect(asked.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  expect(asked.of("model-failed")).toMatchObject([{ node, failure: "model_refused", fallback: "rules" }]);
  expect(asked.run.report?.ledger.filter(({ what }) => what === "model")).toMatchObject([
    { failure: "blocked", outcome: "failed", detail: expect.stringContaining(WORDS) },
  ]);
  expect(asked.run.report?.markdown).toMatch(/^The model scripted refused the request; rules /m);
  await expectReplay(asked);
});

it("quotes in Chinese what was found if every call after the plan is refused", async () => {
  const refused = { "executor-response": [REFUSED], "verifier-response": [REFUSED], "summary-response": [REFUSED], text: [REFUSED] };
  const asked = await researchByModel(
    { "planner-response": [plan([{ id: "一", description: YEAR }]), REFUSED], ...refused },
    { question: YEAR },
  );
  expect(asked.run.status).toBe("succeeded");
  expect(statuses(asked.run.todos)).toBe("一 completed");
  expect(asked.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(YEAR_QUOTE);
  expect(asked.run.report?.markdown).toMatch(/^模型 scripted 拒绝了请求；本报告由规则撰写。$/m);
  await expectReplay(asked);
});

it.each([
  ["planner", { "planner-response": [REFUSED] }],
  [
    "verifier",
    {
      "planner-response": [plan([{ id: "T1", description: "Xyzzy plugh?" }])],
      "executor-response": [failed("")],
      "verifier-response": [REFUSED],
    },
  ],
])("fails if the call of the %s is refused before anything is found", async (_, answers) => {
  const asked = await researchByModel(answers, { question: BUILDER });
  expect(asked.run).toMatchObject({ status: "failed", error: { code: "model_refused", message: expect.stringContaining(WORDS) } });
  await expectReplay(asked);
});
