import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import type { TaskChanges } from "../domain/recording.ts";
import { type ActDeps, createActNode } from "../nodes/agent/act.ts";
import { createAgentConfirmNode, createAskNode } from "../nodes/agent/ask.ts";
import { createCompressNode } from "../nodes/agent/compress.ts";
import { type ConcludeDeps, createConcludeNode } from "../nodes/agent/conclude.ts";
import { createDecide, MIN_STEPS, type NextStep } from "../nodes/agent/decide.ts";
import { AgentState, type AgentStateValue } from "../nodes/agent/state.ts";
import { createThinkNode, createWriteNode, type ThinkDeps } from "../nodes/agent/think.ts";
import { bindNode } from "./bind.ts";
import { type Compiling, defineGraph, type GraphDefinition } from "./registry.ts";

export type AgentDeps = Omit<ThinkDeps & ActDeps & ConcludeDeps, "decide">;

const NEXT: NextStep["type"][] = ["think", "act", "ask", "confirm", "compress", "write", "conclude"];

/** Pass no checkpointer for a nested run, which uses the checkpointer of the outer graph. */
export function buildAgentGraph(given: AgentDeps, checkpointer?: BaseCheckpointSaver) {
  const decide = createDecide(given);
  const deps = { ...given, decide };
  const next = (state: AgentStateValue): NextStep["type"] => decide(state).type;
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

const DESCRIPTION = {
  name: "agent",
  description:
    "A model that answers directly or calls tools in a loop, searches and reads, asks its user where it must, and cites what it found.",
  needsModel: true,
  continues: true,
  roles: ["agent"],
  minSteps: MIN_STEPS,
};

export async function defineAgent(deps: AgentDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  return { ...(await defineGraph(DESCRIPTION, buildAgentGraph(deps, checkpointer), fingerprintOf)), change };
}

/** The first message is the question. */
function change(state: Record<string, unknown>, changes: TaskChanges): Record<string, unknown> {
  const { task, messages } = state as Pick<AgentStateValue, "task" | "messages">;
  const [first, ...rest] = messages;
  const { question } = changes;
  const asked =
    first?.role === "user" && question !== undefined ? [{ ...first, content: first.content.replace(task.question, () => question) }] : [];
  return { task: { ...task, ...changes }, ...(asked.length > 0 && { messages: [...asked, ...rest] }) };
}
