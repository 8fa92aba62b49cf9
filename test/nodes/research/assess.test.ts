import { expect, it } from "vitest";
import { NOTHING_FOUND } from "../../../src/domain/citations.ts";
import type { Assessment, ResearchAnalyst } from "../../../src/domain/ports/analyst.ts";
import { type PlannedQuery, planQuery, queryKey } from "../../../src/domain/queries.ts";
import { createWorkNode, type Workers } from "../../../src/graphs/research/work-todo.ts";
import { createAssessNode } from "../../../src/nodes/research/assess.ts";
import type { TodoStateValue } from "../../../src/nodes/research/state.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";

const TODO = { id: "T1", description: "谁设计了奥尔德穆尔灯塔？", by: "executor", dependsOn: [], priority: 1 };
const LIMITS = { optionalToolLoops: 1, steps: 50, modelCalls: 9, tokens: 9_000, costUsd: null, seconds: 600, downloads: 12 };
const TASK = { question: TODO.description, language: "zh", history: [], models: null, limits: LIMITS, sources: [], tools: [] };

function stateOf(some: Partial<TodoStateValue>): TodoStateValue {
  const empty = { offered: null, query: null, queries: [], findings: NOTHING_FOUND, isFruitless: false, hits: [], ranked: [], read: [] };
  const rest = { known: [], named: [], ledger: [], spent: null, failure: null, ending: null, summary: "", round: 1 };
  return { task: TASK, todo: TODO, startedAt: 0, ...empty, ...rest, ...some } as unknown as TodoStateValue;
}

function assess(nextQuery: PlannedQuery | null, some: Partial<TodoStateValue> = {}) {
  const assessment: Assessment = { taskCompleted: false, shouldContinue: true, nextAction: "continue", summary: "", nextQuery };
  const research = { assess: async () => assessment } as unknown as ResearchAnalyst;
  return createAssessNode({ research })(stateOf(some), plainEffects());
}

/** Returns what the executor is given to do in a round. */
async function work(query: TodoStateValue["query"], models: object | null = null) {
  const given: { task: { question: string }; queries: unknown }[] = [];
  const runNested = async (_: unknown, input: (typeof given)[number]) => {
    given.push(input);
    return { hits: [], ranked: [], read: [], report: null, termination: null, named: [] };
  };
  const update = await createWorkNode({} as Workers)(
    stateOf({ query, task: { ...TASK, models } as never }),
    plainEffects(),
    runNested as never,
  );
  return { question: given[0]?.task.question, asked: given[0]?.queries, keys: update.queries };
}

it("a todo without a next query is asked again as a question, not as a query of all its words", async () => {
  expect(await assess(null)).toMatchObject({ query: null });
  expect(await work(null)).toEqual({ question: TODO.description, asked: [], keys: [queryKey(planQuery(TODO.description))] });
});

it("a model is told the task and what is still missing, and the next query is searched as it is", async () => {
  const query = planQuery("奥尔德穆尔灯塔 设计");
  expect(await work(query, {})).toEqual({
    question: "谁设计了奥尔德穆尔灯塔？\n还缺：奥尔德穆尔灯塔 设计",
    asked: [query],
    keys: [queryKey(query)],
  });
});

it("a next query is no progress only if its words, kinds and dates are those of an earlier round that brought nothing", async () => {
  const asked = { ...planQuery("奥尔德穆尔 lighthouse"), kinds: ["web" as const] };
  const fruitless = { isFruitless: true, queries: [queryKey(asked)] };
  expect(await assess({ ...asked, text: "奥尔德穆尔  Lighthouse" }, fruitless)).toMatchObject({ ending: "failed" });
  expect(await assess({ ...asked, kinds: ["scholar"] }, fruitless)).toMatchObject({ query: { kinds: ["scholar"] } });
  expect(await assess({ ...asked, from: "2024-01-01" }, fruitless)).toMatchObject({ query: { from: "2024-01-01" } });
  const repeated = { isFruitless: true, queries: [queryKey(planQuery(TODO.description))] };
  expect(await assess(null, repeated)).toMatchObject({ ending: "failed" });
});
