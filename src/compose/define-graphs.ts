import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { createExtractiveAnalyst } from "../analyst/extractive/analyst.ts";
import { createPlainResearch } from "../analyst/plain-research.ts";
import type { ChatModel } from "../domain/ports/chat-model.ts";
import type { RenderPrompt } from "../domain/ports/prompts.ts";
import type { ResearchAnalyst } from "../domain/ports/research-analyst.ts";
import type { Tool } from "../domain/ports/tool.ts";
import { defineAgent } from "../graphs/agent/definition.ts";
import type { AgentDeps } from "../graphs/agent/graph.ts";
import { defineExecutor } from "../graphs/executor/definition.ts";
import type { ExecutorDeps } from "../graphs/executor/graph.ts";
import type { GraphDefinition } from "../graphs/registry.ts";
import { defineResearch } from "../graphs/research/definition.ts";
import { READ_TOOL } from "../nodes/agent/act/read-document.ts";
import { SEARCH_TOOL } from "../nodes/agent/act/search.ts";
import { AGENT_TOOLS } from "../tools/agent-tools.ts";
import { createToolbox } from "../tools/toolbox.ts";

export interface GraphParts {
  readonly executor: ExecutorDeps;
  readonly tools: readonly Tool[];
  /** Stands in for who plans and judges. */
  readonly research?: ResearchAnalyst;
  /** The roles that judge what todos have found; a deployment's own are added to the verifier. */
  readonly judges?: readonly string[];
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
}

/** The graphs of Dossier itself. */
export async function defineGraphs(
  { executor, tools, model, prompts, research = createPlainResearch(), judges = ["verifier"] }: GraphParts,
  checkpointer: BaseCheckpointSaver,
  fingerprintOf: (drawing: string) => string,
): Promise<GraphDefinition[]> {
  const { documents, sources, ranker, reader, renderMarkdown, roundTimeoutMs } = executor;
  const agent: AgentDeps = {
    ...{ documents, sources, ranker, reader, renderMarkdown, roundTimeoutMs, model, prompts },
    tools: createToolbox([...tools, SEARCH_TOOL, READ_TOOL, ...AGENT_TOOLS]),
    rules: createExtractiveAnalyst(),
  };
  return [
    await defineExecutor(executor, checkpointer, fingerprintOf),
    await defineAgent(agent, checkpointer, fingerprintOf),
    await defineResearch(
      { executor, agent, research, judges, documents, renderMarkdown, tools: executor.tools },
      checkpointer,
      fingerprintOf,
    ),
  ];
}
