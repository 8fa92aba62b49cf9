import { expect, it } from "vitest";
import { BUILDER, BUILT, done, GRANITE, NOWHERE, plan, verdict, YEAR } from "../../fakes/scripted-roles.ts";
import { research, statuses } from "./ask-research.ts";
import { researchByModel } from "./roles-under-test.ts";

it.each([
  ["Who painted Isolde Farrow?", "Missing: "],
  ["谁画了伊索尔德·法罗的肖像？", "缺少："],
])("ends with no answer and names the question once as missing if nothing is quoted: %j", async (question, heading) => {
  const { run } = await research({ question }, { parts: { tools: [] } });
  expect(run.termination?.reason).toBe("no_answer");
  expect(run.report?.claims).toEqual([]);
  expect(run.report?.missing).toHaveLength(1);
  const missing = run.report?.markdown.split("\n").find((line) => line.startsWith(heading)) ?? "";
  expect(missing.split(question)).toHaveLength(2);
});

const THREE = [
  { id: "T1", description: BUILDER },
  { id: "T2", description: NOWHERE },
  { id: "T3", description: YEAR, dependsOn: ["T1"] },
];

const UNKNOWN = "找到了。It is known.";

it("fails a todo that the executor calls completed if the verifier rejects it", async () => {
  const rejected = verdict(false, [{ id: "T2", completed: false, feedback: "没有出处" }]);
  const answers = { "planner-response": [plan(THREE)], "executor-response": [done(UNKNOWN)], "verifier-response": [rejected] };
  const { run } = await researchByModel(answers, { question: `${BUILDER} ${NOWHERE}` });
  expect(statuses(run.todos)).toBe("T1 completed, T2 failed, T3 completed");
  expect(run.report?.missing?.join()).toContain(NOWHERE);
  expect(run.report?.markdown).not.toContain("It is known.");
  expect(run.termination?.detail).toBe(`not answered: T2 ${NOWHERE}`);
});

it("names the limit if a model calls a todo completed that one download did not let it read", async () => {
  const todos = [THREE[0]!, { id: "T2", description: "What is Tolmere granite?" }];
  const asked = await researchByModel({ "planner-response": [plan(todos)] }, { question: BUILDER, limits: { downloads: 1 } });
  expect(asked.run.termination).toMatchObject({
    reason: "completed",
    detail: expect.stringMatching(/^no download was left \(limits\.downloads, or the depth\)/),
  });
  // Either todo may come first.
  const quotes = asked.run.report?.citations.map(({ quote }) => quote) ?? [];
  expect(quotes).toHaveLength(1);
  for (const quote of quotes) expect([BUILT, GRANITE]).toContain(quote);
});
