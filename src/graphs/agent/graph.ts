import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { type ActDeps, createActNode } from "../../nodes/agent/act/node.ts";
import { createAskNode } from "../../nodes/agent/ask/node.ts";
import { createCompressNode } from "../../nodes/agent/compress/node.ts";
import { type ConcludeDeps, createConcludeNode } from "../../nodes/agent/conclude/node.ts";
import { createAgentConfirmNode } from "../../nodes/agent/confirm/node.ts";
import { createDecide, type Decide, type DecideDeps } from "../../nodes/agent/decide/decide-state.ts";
import { AgentState, type AgentStateValue } from "../../nodes/agent/state.ts";
import { createThinkNode, type ThinkDeps } from "../../nodes/agent/think/node.ts";
import { createWriteNode } from "../../nodes/agent/write/node.ts";
import { bindNode } from "../bind-node.ts";

type AgentNodeName = "think" | "act" | "ask" | "confirm" | "compress" | "write" | "conclude";

/** Where the decision leads; the decision is a pure function of the state. */
function toNext(decide: Decide): (state: AgentStateValue) => AgentNodeName {
  return (state) => decide(state).type;
}

export type AgentDeps = Omit<ThinkDeps & ActDeps & ConcludeDeps, "decide"> & DecideDeps;

const NEXT: AgentNodeName[] = ["think", "act", "ask", "confirm", "compress", "write", "conclude"];

/**
 * think -> (decide) -> act | ask | confirm | compress -> (decide) -> think
 *                   -> write -> conclude
 *
 * Without a checkpointer it is a part of another graph, whose checkpointer it takes.
 */
export function buildAgentGraph(given: AgentDeps, checkpointer?: BaseCheckpointSaver) {
  const decide = createDecide(given);
  const deps = { ...given, decide };
  const next = toNext(decide);
  return new StateGraph(AgentState)
    .addNode("think", bindNode(createThinkNode(deps)))
    .addNode("act", bindNode(createActNode(deps)))
    .addNode("ask", bindNode(createAskNode(deps)))
    .addNode("confirm", bindNode(createAgentConfirmNode(deps)))
    .addNode("compress", bindNode(createCompressNode(deps)))
    .addNode("write", bindNode(createWriteNode(deps)))
    .addNode("conclude", bindNode(createConcludeNode(deps)))
    .addEdge(START, "think")
    .addConditionalEdges("think", next, NEXT)
    .addConditionalEdges("act", next, NEXT)
    .addConditionalEdges("ask", next, NEXT)
    .addConditionalEdges("confirm", next, NEXT)
    .addConditionalEdges("compress", next, NEXT)
    .addEdge("write", "conclude")
    .addEdge("conclude", END)
    .compile({ name: "agent", ...(checkpointer && { checkpointer }) });
}
