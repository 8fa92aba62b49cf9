import { Annotation, type BaseCheckpointSaver, END, interrupt, Send, START, StateGraph } from "@langchain/langgraph";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { note, testGraph } from "./test-graph.ts";

const State = Annotation.Root({
  name: Annotation<string>,
  answers: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

type Value = typeof State.State;

/** Two nodes at the same time, each with an effect before its question; then a node that asks twice. */
export const defineWaiting = testGraph<Value>({
  name: "waiting",
  compile: (checkpointer: BaseCheckpointSaver) =>
    new StateGraph(State)
      .addNode(
        "begin",
        bindNode(async () => ({})),
      )
      .addNode("ask", bindNode(ask))
      .addNode("again", bindNode(askTwice))
      .addEdge(START, "begin")
      .addConditionalEdges("begin", () => ["东", "west"].map((name) => new Send("ask", { name })), ["ask"])
      .addEdge("ask", "again")
      .addEdge("again", END)
      .compile({ checkpointer }) as never,
  input: { name: "all" },
  report: (state) => state.answers.join(" | "),
});

async function ask({ name }: { name: string }, effects: Effects): Promise<Partial<Value>> {
  const drawn = await effects.perform({ kind: "random", request: name, timeoutMs: 1_000, live: async () => Math.random() });
  note(effects, `${name} drew ${drawn}`);
  const answer = question(`Where is ${name}?`, name);
  note(effects, `${name} was told ${JSON.stringify(answer)}`);
  return { answers: [`${name}: ${JSON.stringify(answer)}`] };
}

async function askTwice(_: Value, effects: Effects): Promise<Partial<Value>> {
  const first = question("First?", "again");
  note(effects, `first ${JSON.stringify(first)}`);
  const second = question("Second?", "again");
  return { answers: [JSON.stringify(first), JSON.stringify(second)] };
}

function question(prompt: string, path: string): unknown {
  return interrupt({ kind: "question", prompt, path, plan: null, call: null });
}
