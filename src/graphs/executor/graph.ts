import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { callsToConfirm, createConfirmNode } from "../../nodes/confirm/node.ts";
import { createDownloadNode, type DownloadDeps } from "../../nodes/download/node.ts";
import { ExecutorState, type ExecutorStateValue } from "../../nodes/executor/state.ts";
import { createLlmDecisionNode, type LlmDecisionDeps } from "../../nodes/llm-decision/node.ts";
import { createOptionalToolNode, type OptionalToolDeps } from "../../nodes/optional-tool/node.ts";
import { createRerankNode, type RerankDeps } from "../../nodes/rerank/node.ts";
import { createSearchNode, type SearchDeps } from "../../nodes/search/node.ts";
import { createSummarizeNode, type SummarizeDeps } from "../../nodes/summarize/node.ts";
import type { ToolDeps } from "../../nodes/tool-servers/with-offered.ts";
import { bindNode } from "../bind-node.ts";

export type ExecutorDeps = LlmDecisionDeps & OptionalToolDeps & SearchDeps & RerankDeps & DownloadDeps & SummarizeDeps;

/**
 * llm_decision -(calls)-> [confirm] -> optional_tool -> llm_decision
 *              -(otherwise)-> search -> rerank -> download -> summarize
 *
 * Without a checkpointer it is a part of the graph that calls it.
 */
export function buildExecutorGraph(deps: ExecutorDeps, checkpointer?: BaseCheckpointSaver) {
  return new StateGraph(ExecutorState)
    .addNode("llm_decision", bindNode(createLlmDecisionNode(deps)))
    .addNode("confirm", bindNode(createConfirmNode(deps)))
    .addNode("optional_tool", bindNode(createOptionalToolNode(deps)))
    .addNode("search", bindNode(createSearchNode(deps)))
    .addNode("rerank", bindNode(createRerankNode(deps)))
    .addNode("download", bindNode(createDownloadNode(deps)))
    .addNode("summarize", bindNode(createSummarizeNode(deps)))
    .addEdge(START, "llm_decision")
    .addConditionalEdges("llm_decision", toAfterDecision(deps), ["confirm", "optional_tool", "search"])
    .addEdge("confirm", "optional_tool")
    .addEdge("optional_tool", "llm_decision")
    .addEdge("search", "rerank")
    .addEdge("rerank", "download")
    .addEdge("download", "summarize")
    .addEdge("summarize", END)
    .compile({ name: "executor", ...(checkpointer && { checkpointer }) });
}

/**
 * Into another round of optional tools while the loop has not ended, by way of the user where a call has to be agreed to; from `search`
 * on there is no way back.
 */
function toAfterDecision(deps: ToolDeps): (state: ExecutorStateValue) => "confirm" | "optional_tool" | "search" {
  return (state) => {
    if (state.loopEnding !== null) return "search";
    return callsToConfirm(state, deps).length > 0 ? "confirm" : "optional_tool";
  };
}
