import { expect, it } from "vitest";
import type { PlannedTodo } from "../../../src/domain/plan.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { BUILDER, BUILT, GRANITE, lastSaid, plan, WALL, YEAR, YEAR_QUOTE } from "../../fakes/scripted-roles.ts";
import { countsOf } from "../../helpers/claims.ts";
import { told } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const QUESTION = "Who built the lighthouse of Aldermoor and when, and what is its harbour wall made of? 请写明年份。";
const THREE = [
  { id: "T1", description: BUILDER, doneCriteria: "the name", keyFacts: ["a name"], priority: 1, dependsOn: [], by: "executor" },
  { id: "T2", description: WALL, doneCriteria: "the stone", keyFacts: [], priority: 2, dependsOn: [], by: "executor" },
  { id: "T3", description: YEAR, doneCriteria: "年份", keyFacts: [], priority: 1, dependsOn: ["T1"], by: "executor" },
] satisfies Partial<PlannedTodo>[];

it("plans, executes, verifies and summarizes with a separate model for each role, and replays the same", async () => {
  const models = { planner: "m-plan", executor: "m-exec", verifier: "m-check", summary: "m-sum", reader: "m-read" };
  const asked = await researchByModel(
    { "planner-response": [plan(THREE)] },
    { question: QUESTION, models, systemContext: "只用港务局的档案。" },
  );
  const { run, events, model, of } = asked;
  expect([run.error, model.unexpected, model.refused]).toEqual([null, [], []]);
  expect(run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  expect(countsOf(run.report)).toEqual({ sentences: 3, checked: 3, unverified: 0 });
  expect(run.report?.citations.map(({ quote }) => quote).toSorted()).toEqual([BUILT, GRANITE, YEAR_QUOTE].toSorted());
  expect(run.report?.ledger.filter(({ failure }) => failure !== null)).toEqual([]);
  expect(
    run.todos?.map(({ id, status, rounds, answeredBy, citations, path }) => [id, status, rounds, answeredBy, citations.length, path]),
  ).toEqual([
    ["T1", "completed", 1, "execution", 1, "todo:T1"],
    ["T2", "completed", 1, "execution", 1, "todo:T2"],
    ["T3", "completed", 1, "execution", 1, "todo:T3"],
  ]);
  expect(told(events).at(-1)).toBe("T1 completed, T2 completed, T3 completed");
  expect(model.requests.map(({ body }) => body.model).toSorted()).toEqual(
    ["m-plan", ...Array(3).fill("m-exec"), ...Array(3).fill("m-read"), "m-check", "m-sum"].toSorted(),
  );
  for (const request of model.requests) expect(contentsOf(request, "system")[0]).toContain("只用港务局的档案。");
  expect(run.usage).toMatchObject({ modelCalls: 9 });
  expect(run.usage.models.map(({ model: name, calls }) => [name, calls]).toSorted()).toEqual([
    ["m-check", 1],
    ["m-exec", 3],
    ["m-plan", 1],
    ["m-read", 3],
    ["m-sum", 1],
  ]);
  const shown = Map.groupBy(of("component"), ({ component }) => component);
  for (const name of ["planner-response", "executor-response", "verifier-response", "summary-response"]) {
    const calls = Map.groupBy(shown.get(name) ?? [], ({ callId, path }) => `${path} ${callId}`);
    expect(calls.size, name).toBe(name === "executor-response" ? 3 : 1);
    for (const [call, said] of calls) {
      expect(said.filter(({ partial }) => partial).length, call).toBeGreaterThan(0);
      expect(said.filter(({ partial }) => !partial).length, call).toBe(1);
    }
  }
  const pathsOf = (component: string) => [...new Set(shown.get(component)?.map(({ path }) => path))].toSorted();
  expect(pathsOf("executor-response")).toEqual(["todo:T1", "todo:T2", "todo:T3"]);
  expect(["planner-response", "verifier-response", "summary-response"].flatMap(pathsOf)).toEqual(["", "", ""]);
  // T2 runs beside T1, and both find the same documents: one of them reads each.
  const read = of("document-read").map(({ contentHash }) => contentHash);
  expect(read).toEqual([...new Set(read)]);
  await expectReplay(asked);
});

it("sends the findings of a todo to the writer of the todo that depends on it, and all findings to the summary", async () => {
  const asked = await researchByModel({ "planner-response": [plan(THREE)] }, { question: QUESTION });
  const dependent = askedOf(asked, "text").find((request) => lastSaid(request).includes(YEAR));
  expect(contentsOf(dependent!, "user")).toContain(BUILDER);
  expect(contentsOf(dependent!, "assistant").join("\n")).toContain("Ada Penrose built it in 1874.");
  const summing = lastSaid(askedOf(asked, "summary-response")[0]!);
  expect(summing.match(/<data [^>]*T\d/g)).toHaveLength(3);
  expect(summing.trimEnd().endsWith(QUESTION)).toBe(true);
});

it("sends earlier messages to the planner, and executes its todos whatever the messages say", async () => {
  const messages = [
    { role: "user", content: YEAR },
    { role: "assistant", content: "1874年。" },
  ] as const;
  const asked = await researchByModel({ "planner-response": [plan(THREE)] }, { question: QUESTION, messages: [...messages] });
  const planning = askedOf(asked, "planner-response")[0]!;
  expect(planning.body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(contentsOf(planning, "assistant")).toEqual(["1874年。"]);
  expect(asked.run.todos?.map(({ id, answeredBy, rounds }) => [id, answeredBy, rounds])).toEqual([
    ["T1", "execution", 1],
    ["T2", "execution", 1],
    ["T3", "execution", 1],
  ]);
  expect(askedOf(asked, "executor-response")).toHaveLength(3);
  await expectReplay(asked);
});

it("answers a follow-up in its thread with the thread's earlier turns", async () => {
  const first = await researchByModel(
    { "planner-response": [plan([{ id: "T1", description: BUILDER }])] },
    { question: BUILDER, threadId: "harbour" },
  );
  const { id } = await first.dossier.start({ question: WALL, graph: "research", threadId: "harbour" });
  await first.dossier.finish(id);
  const second = askedOf(first, "planner-response")[1]!;
  expect(contentsOf(second, "user")[0]).toBe(BUILDER);
  expect(contentsOf(second, "assistant")[0]).toContain("Ada Penrose built it in 1874.");
  expect(lastSaid(second)).toContain(WALL);
});
