import { expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { BUILDER, BUILT, NOWHERE, plan, ROLES, verdict, WALL } from "../../fakes/scripted-roles.ts";
import { countsOf } from "../../helpers/claims.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const QUESTION = `${BUILDER} ${WALL}`;
const TODOS = [
  { id: "T1", description: BUILDER },
  { id: "二", description: WALL },
];

const wrapped = (of: Behavior, wrap: (json: string) => string): Behavior => (of.kind === "text" ? { ...of, text: wrap(of.text) } : of);

const WAYS: Readonly<Record<string, (json: string) => string>> = {
  "with prose around it": (json) => `好的，这是结果：\n${json}\n希望有帮助 {ok}.`,
  "as its props alone": (json) => JSON.stringify((JSON.parse(json) as { props: unknown }).props),
};

it.each(Object.keys(WAYS))("reads every role's component %s, without a correction", async (way) => {
  const wrap = WAYS[way] ?? String;
  const asked = await researchByModel(
    {
      "planner-response": [wrapped(plan(TODOS), wrap)],
      "executor-response": ROLES["executor-response"].map((one) => wrapped(one, wrap)),
      "verifier-response": [wrapped(verdict(true), wrap)],
      "summary-response": (role) => wrapped(ROLES["summary-response"](role), wrap),
    },
    { question: QUESTION },
  );
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  expect(statuses(asked.run.todos)).toBe("T1 completed, 二 completed");
  expect(asked.model.requests).toHaveLength(7);
  expect(countsOf(asked.run.report)).toEqual({ sentences: 2, checked: 2, unverified: 0 });
  expect(asked.of("call-restarted")).toEqual([]);
  await expectReplay(asked);
});

it.each([
  ["planner-response", "plan", "plan"],
  ["executor-response", "assess", "execution"],
  ["verifier-response", "verify", "verification"],
])("shows a %s without its required fields as text, after one correction, and rules replace it", async (role, node) => {
  const broken = say.component(role, { reasoning: "我不知道。" });
  const asked = await researchByModel({ "planner-response": [plan(TODOS.slice(0, 1))], [role]: [broken] }, { question: BUILDER });
  expect(asked.run.status).toBe("succeeded");
  expect(askedOf(asked, role)).toHaveLength(2);
  expect(asked.of("content").some((event) => event.node === node && event.delta.includes("我不知道。"))).toBe(true);
  expect(asked.of("model-failed")).toMatchObject([{ node, failure: "model_output" }]);
  expect(asked.run.report?.ledger.filter(({ failure }) => failure !== null)).toHaveLength(1);
  expect(asked.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  expect(asked.run.todos?.every(({ status }) => status === "completed")).toBe(true);
  await expectReplay(asked);
});

it("continues by rules if the model becomes unavailable between the plan and the todos", async () => {
  const dead = [say.status(503, undefined, { "retry-after": "3600" })];
  const asked = await researchByModel(
    {
      "planner-response": [plan([...TODOS, { id: "T3", description: NOWHERE }])],
      "executor-response": dead,
      "verifier-response": dead,
      "summary-response": dead,
      text: dead,
    },
    { question: QUESTION },
  );
  expect([asked.run.error, asked.run.status]).toEqual([null, "succeeded"]);
  expect(asked.of("model-failed").map(({ node }) => node)).toEqual(expect.arrayContaining(["summarize", "assess", "verify", "summarize"]));
  expect(statuses(asked.run.todos)).toBe("T1 completed, 二 completed, T3 failed");
  expect(asked.run.termination).toEqual({
    reason: "no_progress",
    node: "verify",
    detail: `not answered: T3 ${NOWHERE}`,
  });
  expect(asked.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  await expectReplay(asked);
});

it("names the model as the author of a report that it wrote, although rules did earlier steps", async () => {
  const broken = say.component("planner-response", { reasoning: "我不知道。" });
  const asked = await researchByModel(
    { "planner-response": [broken], text: [say.text("见第一段。")] },
    { question: BUILDER },
    { environment: { UNSUPPORTED_SENTENCES: "strike" } },
  );
  const markdown = asked.run.report?.markdown ?? "";
  expect(markdown).toContain("rules planned.");
  expect(markdown).toContain("rules wrote what a todo found.");
  expect(markdown).not.toContain("rules wrote this report");
});
