import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { createExtractiveAnalyst } from "../analyst/extractive/analyst.ts";
import type { ChatModel } from "../domain/ports/chat-model.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/prompts.ts";
import type { Tool } from "../domain/ports/tool.ts";
import type { Child } from "../domain/team.ts";
import { defineAgent } from "../graphs/agent/definition.ts";
import type { AgentDeps } from "../graphs/agent/graph.ts";
import { defineExecutor } from "../graphs/executor/definition.ts";
import type { ExecutorDeps } from "../graphs/executor/graph.ts";
import type { GraphDefinition } from "../graphs/registry.ts";
import { defineTeam } from "../graphs/team/definition.ts";
import { READ_TOOL } from "../nodes/agent/act/read-document.ts";
import { SEARCH_TOOL } from "../nodes/agent/act/search.ts";
import { AGENT_TOOLS } from "../tools/agent-tools.ts";
import { createToolbox } from "../tools/toolbox.ts";

export interface GraphParts {
  readonly executor: ExecutorDeps;
  readonly tools: readonly Tool[];
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
  /** The children of a run as its log has them. */
  readonly childrenOf: (runId: string) => Promise<readonly Child[]>;
}

const RECALL_TIMEOUT_MS = 30_000;

/** The graphs of Dossier itself. */
export async function defineGraphs(
  { executor, tools, model, prompts, childrenOf }: GraphParts,
  checkpointer: BaseCheckpointSaver,
  fingerprintOf: (drawing: string) => string,
): Promise<GraphDefinition[]> {
  const { documents, sources, ranker, reader, renderMarkdown, roundTimeoutMs } = executor;
  const agent: AgentDeps = {
    ...{ documents, sources, ranker, reader, renderMarkdown, roundTimeoutMs, model, prompts },
    tools: createToolbox([...tools, SEARCH_TOOL, READ_TOOL, ...AGENT_TOOLS]),
    rules: createExtractiveAnalyst(),
  };
  const recall = ({ runId, perform }: Effects): Promise<readonly Child[]> => {
    const live = (): Promise<readonly Child[]> => childrenOf(runId);
    return perform({ kind: "memo", request: { component: "child-list" }, timeoutMs: RECALL_TIMEOUT_MS, live });
  };
  return [
    await defineExecutor(executor, checkpointer, fingerprintOf),
    await defineAgent(agent, checkpointer, fingerprintOf),
    await defineTeam({ ...agent, recall }, checkpointer, fingerprintOf),
  ];
}
