import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import type { Effects, GraphNode } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import type { GraphDefinition } from "../../src/graphs/registry.ts";
import { coverage } from "../../test/helpers/coverage.ts";

/** The only effect that these nodes use. */
type EventEmitter = Pick<Effects, "emit">;
type Wrap = (node: GraphNode<Value, Update>) => ReturnType<typeof bindNode<Value, Update>>;

const ROUNDS = 2;
const EVENTS_PER_NODE = 2;
const TITLE = "x".repeat(60);
const NO_EVENTS: EventEmitter = { emit: () => undefined };

const State = Annotation.Root({
  question: Annotation<string>,
  rounds: Annotation<number>({ reducer: (_, update) => update, default: () => 0 }),
  hits: Annotation<string[], string[]>({ reducer: (known, found) => [...known, ...found], default: () => [] }),
  report: Annotation<string>,
});

type Value = typeof State.State;
type Update = Partial<typeof State.Update>;

/** Input of every run. */
export const INPUT = { question: "q" };

/** Builds a graph with the executor's nodes and edges and two rounds of tools. Its nodes have a small state and use no network, model or database. */
function build(wrap: Wrap, checkpointer: BaseCheckpointSaver) {
  const node = (name: string, update: (state: Value) => Update) =>
    wrap(async (state, effects) => emitAndReturn(name, effects, update(state)));
  return new StateGraph(State)
    .addNode(
      "llm_decision",
      node("llm_decision", ({ rounds }) => ({ rounds: rounds + 1 })),
    )
    .addNode(
      "optional_tool",
      node("optional_tool", () => ({ hits: titles(3) })),
    )
    .addNode(
      "search",
      node("search", () => ({ hits: titles(5) })),
    )
    .addNode(
      "rerank",
      node("rerank", () => ({})),
    )
    .addNode(
      "download",
      node("download", () => ({ hits: titles(1) })),
    )
    .addNode(
      "summarize",
      node("summarize", () => ({ report: TITLE.repeat(20) })),
    )
    .addEdge(START, "llm_decision")
    .addConditionalEdges("llm_decision", ({ rounds }) => (rounds <= ROUNDS ? "optional_tool" : "search"), ["optional_tool", "search"])
    .addEdge("optional_tool", "llm_decision")
    .addEdge("search", "rerank")
    .addEdge("rerank", "download")
    .addEdge("download", "summarize")
    .addEdge("summarize", END)
    .compile({ checkpointer });
}

/** Builds the graph for LangGraph alone. Events are discarded. */
export function buildBare(checkpointer: BaseCheckpointSaver) {
  return build((node) => (state) => node(state, NO_EVENTS as Effects), checkpointer);
}

/** Defines the graph for the run service. */
export function defineSixNodes(checkpointer: BaseCheckpointSaver): GraphDefinition {
  const graph = build(bindNode, checkpointer);
  return {
    name: "six-nodes",
    description: "six nodes without effects",
    needsModel: false,
    roles: [],
    minSteps: 1,
    graph: { invoke: (_, config) => graph.invoke(INPUT, config), getState: (config) => graph.getState(config) },
    picture: { name: "six-nodes", description: "", nodes: [], edges: [], mermaid: "" },
    fingerprint: "1",
    input: () => INPUT,
    outcome: (state) => ({
      termination: { reason: "completed", node: null, detail: null },
      report: { ...NOTHING_CITED, markdown: (state as Value).report },
    }),
  };
}

const NOTHING_CITED = {
  blocks: [],
  claims: [],
  citations: [],
  closest: [],
  sources: [],
  coverage: coverage(),
  answers: null,
  missing: [],
  struck: [],
  summary: null,
  ledger: [],
};

function emitAndReturn(node: string, { emit }: EventEmitter, update: Update): Update {
  for (let index = 0; index < EVENTS_PER_NODE; index += 1) emit({ type: "content", node, callId: "bench", try: 1, delta: TITLE });
  return update;
}

function titles(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${TITLE}${index}`);
}
