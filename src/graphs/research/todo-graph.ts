import { END, START, StateGraph } from "@langchain/langgraph";
import type { ResearchAnalyst } from "../../domain/ports/research-analyst.ts";
import { createAssessNode } from "../../nodes/research/assess/node.ts";
import type { AgentDeps } from "../agent/graph.ts";
import { buildAgentGraph } from "../agent/graph.ts";
import { bindNode } from "../bind-node.ts";
import { bindPart, type PartGraph } from "../bind-part.ts";
import { buildExecutorGraph, type ExecutorDeps } from "../executor/graph.ts";
import { afterAssessment } from "./edges.ts";
import { TodoState, type TodoStateValue } from "./state.ts";
import { createWorkNode, type Workers } from "./work-todo.ts";

export interface TodoDeps {
  readonly executor: ExecutorDeps;
  readonly agent: AgentDeps;
  readonly research: ResearchAnalyst;
}

/**
 * work -> assess -(another round)-> work
 *
 * A part of the research graph; each round of work is the executor or the agent as a part of it.
 */
export function buildTodoGraph(deps: TodoDeps): PartGraph<Partial<TodoStateValue>, TodoStateValue> {
  const executor = buildExecutorGraph(deps.executor);
  const agent = buildAgentGraph(deps.agent);
  const work = createWorkNode({ executor, agent } as unknown as Workers);
  return new StateGraph(TodoState)
    .addNode(
      "work",
      bindPart(work, ({ round }) => `round:${round + 1}`),
      { subgraphs: [executor, agent] },
    )
    .addNode("assess", bindNode(createAssessNode(deps)))
    .addEdge(START, "work")
    .addEdge("work", "assess")
    .addConditionalEdges("assess", afterAssessment, ["work", END])
    .compile({ name: "todo" }) as unknown as PartGraph<Partial<TodoStateValue>, TodoStateValue>;
}
