import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import type { RankDeps } from "../gathering/rank.ts";
import { createDownloadNode, type DownloadDeps } from "../nodes/executor/download.ts";
import { createLlmDecisionNode, type LlmDecisionDeps, REPORT_STEPS } from "../nodes/executor/llm-decision.ts";
import { callsOfAnalyst, createConfirmNode, createOptionalToolNode } from "../nodes/executor/optional-tool.ts";
import { createRerankNode } from "../nodes/executor/rerank.ts";
import { createSearchNode, type SearchDeps } from "../nodes/executor/search.ts";
import { ExecutorState, type ExecutorStateValue } from "../nodes/executor/state.ts";
import { createSummarizeNode, type SummarizeDeps } from "../nodes/executor/summarize.ts";
import { callsToConfirm, type RoundDeps } from "../nodes/shared/tool-round.ts";
import type { ToolDeps } from "../nodes/shared/tool-servers.ts";
import { bindNode } from "./bind.ts";
import { type Compiling, defineGraph, type GraphDefinition } from "./registry.ts";

export type ExecutorDeps = LlmDecisionDeps & RoundDeps & SearchDeps & RankDeps & DownloadDeps & SummarizeDeps;

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

function toAfterDecision(deps: ToolDeps): (state: ExecutorStateValue) => "confirm" | "optional_tool" | "search" {
  return (state) => {
    if (state.loopEnding !== null) return "search";
    return callsToConfirm(callsOfAnalyst(state), state, deps).length > 0 ? "confirm" : "optional_tool";
  };
}

const DESCRIPTION = {
  name: "executor",
  description:
    "Calls the optional tools a question needs, searches, reranks, downloads and reads, and writes a report with verified quotes.",
  needsModel: false,
  roles: ["decision", "writer", "support"],
  minSteps: REPORT_STEPS,
};

export function defineExecutor(deps: ExecutorDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  return defineGraph(DESCRIPTION, buildExecutorGraph(deps, checkpointer), fingerprintOf);
}
