import { LRUCache } from "lru-cache";
import { createModelAnalyst } from "../analyst/analyst.ts";
import { createModelResearch } from "../analyst/research-analyst.ts";
import { JUDGES } from "../analyst/research-roles.ts";
import type { Config } from "../config.ts";
import { hashJson } from "../domain/json.ts";
import type { Decision } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt, SemanticRanker } from "../domain/ports/models.ts";
import type { DocumentExtractor, HttpFetch } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import type { Child } from "../domain/team.ts";
import { type AgentDeps, defineAgent } from "../graphs/agent.ts";
import { defineExecutor, type ExecutorDeps } from "../graphs/executor.ts";
import type { Compiling, GraphDefinition } from "../graphs/registry.ts";
import { defineResearch, type ResearchDeps } from "../graphs/research/graph.ts";
import { defineTeam } from "../graphs/team.ts";
import type { Prompts } from "../models/prompts.ts";
import { READ_TOOL, SEARCH_TOOL } from "../nodes/agent/search-and-read.ts";
import { createExtractiveAnalyst } from "../quoting/analyst.ts";
import { createExtractiveResearch } from "../quoting/research.ts";
import { renderMarkdown } from "../reports/markdown.ts";
import { AGENT_TOOLS } from "../tools/control-tools.ts";
import { createToolbox, TOOL_ENTRIES } from "../tools/tools.ts";
import type { AnalystParts, SourceParts } from "./parts.ts";

const MEMO_SIZE = 500;
const ROUND_TIMEOUT_MS = 60_000;
const SEARCH_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** A replay needs the tools too, because the recorded model requests describe the tools. */
export function toolsOf(parts: SourceParts, fetch: HttpFetch, extractor: DocumentExtractor, config?: Config): readonly Tool[] {
  const contactEmail = config?.CONTACT_EMAIL;
  const ids = TOOL_ENTRIES.flatMap(({ services }) => services.map(({ endpoint }) => endpoint.id));
  const configured = new Set(ids.filter((id) => config?.services[id]?.baseUrl !== undefined));
  const options = { fetch, extractor, configured, ...(contactEmail !== undefined && { contactEmail }) };
  return parts.tools ?? TOOL_ENTRIES.map((entry) => entry.create(options));
}

interface ModelSide {
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
  readonly semantic: SemanticRanker | null;
  readonly roundTimeoutMs?: number;
}

export function executorDeps(
  parts: AnalystParts,
  tools: readonly Tool[],
  { semantic, roundTimeoutMs = ROUND_TIMEOUT_MS, ...asked }: ModelSide,
): Omit<ExecutorDeps, "documents" | "sources" | "servers" | "reader"> {
  return {
    analyst: parts.analyst ?? createModelAnalyst({ rules: createExtractiveAnalyst(), ...asked }),
    tools: createToolbox(tools),
    memo: new LRUCache<string, Decision>({ max: MEMO_SIZE }),
    roundTimeoutMs,
    searchTimeoutMs: SEARCH_TIMEOUT_MS,
    semantic,
    downloadTimeoutMs: DOWNLOAD_TIMEOUT_MS,
    renderMarkdown,
  };
}

/** What an agent can call besides the tools of the configuration. */
export const EVERY_AGENTS_TOOLS: readonly Tool[] = [SEARCH_TOOL, READ_TOOL, ...AGENT_TOOLS];

interface GraphDeps {
  readonly executor: ExecutorDeps;
  readonly tools: readonly Tool[];
  readonly model: ChatModel;
  readonly prompts: Prompts;
  readonly childrenOf: (runId: string) => Promise<readonly Child[]>;
}

const RECALL_TIMEOUT_MS = 30_000;

export async function defineGraphs(
  { research, judges = JUDGES }: AnalystParts,
  { executor, tools, model, prompts, childrenOf }: GraphDeps,
  compiling: Compiling,
): Promise<GraphDefinition[]> {
  const { documents, sources, servers, semantic, reader, renderMarkdown, roundTimeoutMs } = executor;
  const agent: AgentDeps = {
    ...{ documents, sources, servers, semantic, reader, renderMarkdown, roundTimeoutMs, model, prompts: prompts.render },
    tools: createToolbox([...tools, ...EVERY_AGENTS_TOOLS]),
    rules: createExtractiveAnalyst(),
  };
  const rules = createExtractiveResearch();
  const planned: ResearchDeps = {
    ...{ executor, agent, documents, servers, renderMarkdown, tools: createToolbox([...tools, ...AGENT_TOOLS]) },
    research: research ?? createModelResearch({ model, prompts: prompts.render, rules, judges }),
    judges: judges.map(({ name }) => name),
  };
  const recall = ({ runId, perform }: Effects): Promise<readonly Child[]> => {
    const live = (): Promise<readonly Child[]> => childrenOf(runId);
    return perform({ kind: "memo", request: { component: "child-list" }, timeoutMs: RECALL_TIMEOUT_MS, live });
  };
  const defined = [
    await defineExecutor(executor, compiling),
    await defineAgent(agent, compiling),
    await defineResearch(planned, compiling),
    await defineTeam({ ...agent, recall }, compiling),
  ];
  return defined.map((graph) => withPrompts(graph, prompts));
}

/** Adds the prompts to the fingerprint, because a run that crashed must not continue with changed prompts. */
function withPrompts(graph: GraphDefinition, { hashesOf }: Prompts): GraphDefinition {
  return { ...graph, fingerprint: hashJson({ graph: graph.fingerprint, prompts: hashesOf(graph.roles) }) };
}
