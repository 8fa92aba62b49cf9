import { Annotation, type BaseCheckpointSaver, END, interrupt, Send, START, StateGraph } from "@langchain/langgraph";
import { Budget } from "../../src/domain/budget.ts";
import type { Limits } from "../../src/domain/limits.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { bindNestedRun } from "../../src/graphs/nested-run.ts";
import { note, testGraph } from "./test-graph.ts";

const Part = Annotation.Root({
  name: Annotation<string>,
  answers: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});
const Whole = Annotation.Root({
  name: Annotation<string>,
  answers: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

const LIMITS: Limits = { optionalToolLoops: 3, steps: 50, modelCalls: 10, tokens: 1_000, costUsd: null, seconds: 60, downloads: 3 };

async function draw({ name }: { name: string }, effects: Effects): Promise<Partial<typeof Part.State>> {
  const drawn = await effects.perform({ kind: "random", request: name, timeoutMs: 1_000, live: async () => Math.random() });
  note(effects, `${name} drew ${drawn}`);
  return { answers: [String(drawn)] };
}

async function ask({ name }: { name: string }, effects: Effects): Promise<Partial<typeof Part.State>> {
  if (name === "quiet") return {};
  const answer: unknown = interrupt({ kind: "question", prompt: `Where is ${name}?`, path: "", plan: null, call: null });
  note(effects, `${name} was told ${JSON.stringify(answer)}`);
  return { answers: [`${name}: ${JSON.stringify(answer)}`] };
}

/** Three nested runs at the same time, each a graph that draws, asks (except the quiet one) and draws again. */
export const defineParted = testGraph<typeof Whole.State>({
  name: "parted",
  compile: (checkpointer: BaseCheckpointSaver) => {
    const part = new StateGraph(Part)
      .addNode("first", bindNode(draw))
      .addNode("ask", bindNode(ask))
      .addNode("second", bindNode(draw))
      .addEdge(START, "first")
      .addEdge("first", "ask")
      .addEdge("ask", "second")
      .addEdge("second", END)
      .compile();
    const node = bindNestedRun<typeof Whole.State, Partial<typeof Whole.State>>(
      async ({ name }, _, runNested) => {
        const { answers } = await runNested(part, { name }, { budget: new Budget(LIMITS) });
        return { answers: [`${name} (${answers.length}): ${answers.at(1) ?? ""}`] };
      },
      ({ name }) => `part:${name}`,
    );
    return new StateGraph(Whole)
      .addNode(
        "begin",
        bindNode(async () => ({})),
      )
      .addNode("part", node, { subgraphs: [part] })
      .addEdge(START, "begin")
      .addConditionalEdges("begin", () => ["东", "west", "quiet"].map((name) => new Send("part", { name, answers: [] })), ["part"])
      .addEdge("part", END)
      .compile({ checkpointer }) as never;
  },
  input: { name: "all" },
  report: (state) => state.answers.join(" | "),
});
