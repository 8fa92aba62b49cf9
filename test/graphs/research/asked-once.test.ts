import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { done, plan, verdict, WALL, YEAR } from "../../fakes/scripted-roles.ts";
import { startSearchServices } from "../../fakes/search-services.ts";
import { expectReplay, researchByModel } from "./roles-under-test.ts";

const TEXT =
  "Ada Penrose also designed the harbour wall, which is made of granite from Tolmere. 奥尔德穆尔灯塔建于1874年，由艾达·彭罗斯设计。";
const next = (nextQuery: unknown) =>
  say.component("executor-response", { taskCompleted: false, shouldContinue: true, nextAction: "continue", summary: "", nextQuery });

async function startServices() {
  const { asked, environment } = await startSearchServices((_, words) => [{ title: `${WALL} ${YEAR} ${words}`, text: TEXT }]);
  return { asked, environment: { ...environment, SOURCES: "searxng,wikipedia" } };
}

it("asks a todo's next query in the sources of its kinds and of its time, and the same query once in a run", async () => {
  const { asked, environment } = await startServices();
  const nextQueries = [
    { text: "Tolmere granite 花岗岩", kinds: ["web"], language: "zh", from: "2020" },
    { text: "tolmere  GRANITE 花岗岩", kinds: "web", language: "zh-CN", from: "2020-01-01" },
  ];
  const todos = [
    { id: "T1", description: WALL },
    { id: "T2", description: YEAR, dependsOn: ["T1"] },
  ];
  let round = 0;
  // The second round of T1 brings nothing new and is not judged.
  const executor = () => (round < 2 ? next(nextQueries[round++]) : done());
  const run = await researchByModel(
    { "planner-response": [plan(todos)], "executor-response": executor },
    { question: `${WALL} ${YEAR}` },
    { environment, corpus: {} },
  );
  expect(run.run.error).toBeNull();
  expect(asked.web.filter((words) => words.includes("花岗岩"))).toEqual(["Tolmere granite 花岗岩"]);
  expect(asked.encyclopedia.filter((words) => words.includes("花岗岩"))).toEqual([]);
  const entries = (run.run.report?.ledger ?? []).filter(({ target }) => target.includes("花岗岩"));
  expect(entries.map(({ source, outcome, results, asked }) => [source, outcome, results, asked])).toEqual([
    ["searxng", "found", 1, { kinds: ["web"], language: "zh", from: "2020-01-01" }],
    ["searxng", "reused", 1, { kinds: ["web"], language: "zh", from: "2020-01-01" }],
  ]);
  await expectReplay(run);
});

it("does not ask the queries of a first plan again for a second plan", async () => {
  const { asked, environment } = await startServices();
  const run = await researchByModel(
    {
      "planner-response": [plan([{ id: "T1", description: YEAR }]), plan([{ id: "T2", description: YEAR }])],
      "verifier-response": [verdict(false, [{ id: "T1", completed: false, feedback: "again" }], "again"), verdict(true)],
    },
    { question: YEAR },
    { environment, corpus: {} },
  );
  expect(run.run.todos).not.toBeNull();
  expect(asked.web).toHaveLength(new Set(asked.web).size);
  const searches = (run.run.report?.ledger ?? []).filter(({ what, source }) => what === "search" && source === "searxng");
  expect(searches.map(({ outcome }) => outcome).toSorted()).toEqual(["found", "reused"]);
  expect(run.run.usage.sourceRequests).toBe(2);
  await expectReplay(run);
});
