import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { createApproveNode } from "../../nodes/research/approve/node.ts";
import { createClarifyNode } from "../../nodes/research/clarify/node.ts";
import { createCollectNode } from "../../nodes/research/collect/node.ts";
import { createPlanNode, type PlanDeps } from "../../nodes/research/plan/node.ts";
import { createSummariseNode, type SummariseDeps } from "../../nodes/research/summarise/node.ts";
import { createVerifyNode, type VerifyDeps } from "../../nodes/research/verify/node.ts";
import { bindNode } from "../bind-node.ts";
import { afterApproval, afterPlan, afterTodos, afterVerification } from "./edges.ts";
import { createTodoBranch } from "./run-todo.ts";
import { ResearchState } from "./state.ts";
import { buildTodoGraph, type TodoDeps } from "./todo-graph.ts";

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
