import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { Annotation, END, getConfig, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { RunTree } from "langsmith";
import { expect, test } from "vitest";
import { skipUnusedTraces } from "../../src/graphs/untraced-steps.ts";

skipUnusedTraces();
skipUnusedTraces();

const State = Annotation.Root({ seen: Annotation<string[]> });

function graphOf(step: () => string[]) {
  const child = new StateGraph(State).addNode("inner", () => ({ seen: step() }));
  const inner = child.addEdge(START, "inner").addEdge("inner", END).compile();
  const parent = new StateGraph(State).addNode("outer", async () => inner.invoke({ seen: [] }));
  return parent.addEdge(START, "outer").addEdge("outer", END).compile({ checkpointer: new MemorySaver() });
}

test("a step without callbacks has its configuration, also in a nested graph, and no trace", async () => {
  const graph = graphOf(() => [String(getConfig().configurable?.["thread_id"]), String(stored() instanceof RunTree)]);
  const { seen } = await graph.invoke({ seen: [] }, { configurable: { thread_id: "t" } });
  expect(seen).toEqual(["t", "false"]);
});

test("a nested step can interrupt", async () => {
  const graph = graphOf(() => [interrupt("question")]);
  const state = await graph.invoke({ seen: [] }, { configurable: { thread_id: "t" } });
  expect(state).toMatchObject({ __interrupt__: [{ value: "question" }] });
});

test("callbacks hear of every step", async () => {
  const heard: string[] = [];
  const graph = graphOf(() => []);
  const callbacks = [{ handleChainStart: (...[, , , , , , , name]: unknown[]) => void heard.push(String(name)) }];
  await graph.invoke({ seen: [] }, { configurable: { thread_id: "t" }, callbacks });
  expect(heard).toEqual(expect.arrayContaining(["outer", "inner"]));
});

function stored(): unknown {
  return AsyncLocalStorageProviderSingleton.getInstance().getStore();
}
