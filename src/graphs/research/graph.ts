import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import type { ResearchAnalyst } from "../../domain/ports/research-analyst.ts";
import { createApproveNode } from "../../nodes/research/approve/node.ts";
import { createAssessNode } from "../../nodes/research/assess/node.ts";
import { createClarifyNode } from "../../nodes/research/clarify/node.ts";
import { createCollectNode } from "../../nodes/research/collect/node.ts";
import { createPlanNode, type PlanDeps } from "../../nodes/research/plan/node.ts";
import { createSummariseNode, type SummariseDeps } from "../../nodes/research/summarise/node.ts";
import { createVerifyNode, type VerifyDeps } from "../../nodes/research/verify/node.ts";
import { type AgentDeps, buildAgentGraph } from "../agent/graph.ts";
import { bindNode } from "../bind-node.ts";
import { bindPart, type PartGraph } from "../bind-part.ts";
import { buildExecutorGraph, type ExecutorDeps } from "../executor/graph.ts";
import { afterApproval, afterAssessment, afterPlan, afterTodos, afterVerification } from "./edges.ts";
import { createTodoBranch } from "./run-todo.ts";
import { ResearchState, TodoState, type TodoStateValue } from "./state.ts";
import { createWorkNode, type Workers } from "./work-todo.ts";

export interface ResearchDeps extends PlanDeps, VerifyDeps, SummariseDeps, TodoDeps {
  /** Roles that a model plays in it, those that judge for instance. */
  readonly roles?: readonly string[];
}

/**
 * plan -(a question)-> clarify -> plan
 *      -(to be approved)-> approve -(rejected)-> plan, or approve where the planner was asked often enough
 *      -> todo (all at once, each when what it needs has ended) -> collect -> verify -(not accepted)-> plan
 *                                                                                   -> summarise
 */
export function buildResearchGraph(deps: ResearchDeps, checkpointer: BaseCheckpointSaver) {
  const todoGraph = buildTodoGraph(deps);
  return new StateGraph(ResearchState)
    .addNode("plan", bindNode(createPlanNode(deps)))
    .addNode("clarify", bindNode(createClarifyNode()))
    .addNode("approve", bindNode(createApproveNode()))
    .addNode("todo", createTodoBranch({ ...deps, todoGraph, checkpointer }) as never, { subgraphs: [todoGraph as never] })
    .addNode("collect", bindNode(createCollectNode()))
    .addNode("verify", bindNode(createVerifyNode(deps)))
    .addNode("summarise", bindNode(createSummariseNode(deps)))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", afterPlan, ["plan", "clarify", "approve", "todo", "summarise"])
    .addEdge("clarify", "plan")
    .addConditionalEdges("approve", afterApproval, ["plan", "approve", "todo", "summarise"])
    .addEdge("todo", "collect")
    .addConditionalEdges("collect", afterTodos, ["todo", "verify"])
    .addConditionalEdges("verify", afterVerification, ["plan", "summarise"])
    .addEdge("summarise", END)
    .compile({ checkpointer, name: "research" });
}

interface TodoDeps {
  readonly executor: ExecutorDeps;
  readonly agent: AgentDeps;
  readonly research: ResearchAnalyst;
}

/**
 * work -> assess -(another round)-> work
 *
 * A part of the research graph; each round of work is the executor or the agent as a part of it.
 */
function buildTodoGraph(deps: TodoDeps): PartGraph<Partial<TodoStateValue>, TodoStateValue> {
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
