import { LRUCache } from "lru-cache";
import { createExtractiveAnalyst } from "../analyst/extractive/analyst.ts";
import { createExtractiveResearch } from "../analyst/extractive/research.ts";
import { createModelAnalyst } from "../analyst/model/analyst.ts";
import { createModelResearch } from "../analyst/model/research-analyst.ts";
import { JUDGES, type JudgingRole } from "../analyst/model/research-roles.ts";
import type { Config } from "../config.ts";
import { hashJson } from "../domain/json.ts";
import type { Analyst, Decision } from "../domain/ports/analyst.ts";
import type { DocumentExtractor } from "../domain/ports/documents.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt, SemanticRanker } from "../domain/ports/models.ts";
import type { ResearchAnalyst } from "../domain/ports/research-analyst.ts";
import type { HttpFetch } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import type { Child } from "../domain/team.ts";
import { type AgentDeps, defineAgent } from "../graphs/agent.ts";
import { defineExecutor, type ExecutorDeps } from "../graphs/executor.ts";
import type { Compiling, GraphDefinition } from "../graphs/registry.ts";
import { defineResearch, type ResearchDeps } from "../graphs/research/graph.ts";
import { defineTeam } from "../graphs/team.ts";
import type { Prompts } from "../models/prompts.ts";
import { READ_TOOL } from "../nodes/agent/read-document.ts";
import { SEARCH_TOOL } from "../nodes/agent/search.ts";
import { rankHits } from "../ranking/rank-hits.ts";
import { renderMarkdown } from "../reports/markdown.ts";
import { AGENT_TOOLS } from "../tools/agent-tools.ts";
import { createToolbox, TOOLS } from "../tools/tools.ts";

const MEMO_SIZE = 500;
const ROUND_TIMEOUT_MS = 60_000;
/** Longer than one request to a service that does not answer, and short enough for somebody who waits. */
const SEARCH_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;

interface ExecutorParts {
  readonly analyst?: Analyst;
  readonly tools?: readonly Tool[];
  readonly roundTimeoutMs?: number;
}

/** Every optional tool there is; a replay needs them as well, as they are part of what an analyst was shown. */
export function toolsOf(parts: ExecutorParts, fetch: HttpFetch, extractor: DocumentExtractor, config?: Config): readonly Tool[] {
  const contactEmail = config?.CONTACT_EMAIL;
  const ids = TOOLS.flatMap(({ services }) => services.map(({ endpoint }) => endpoint.id));
  const configured = new Set(ids.filter((id) => config?.services[id]?.baseUrl !== undefined));
  const options = { fetch, extractor, configured, ...(contactEmail !== undefined && { contactEmail }) };
  return parts.tools ?? TOOLS.map((entry) => entry.create(options));
}

/** What the executor needs besides its stores and sources. */
export function executorDeps(
  parts: ExecutorParts,
  tools: readonly Tool[],
  { semantic, ...asked }: { model: ChatModel; prompts: RenderPrompt; semantic: SemanticRanker | null },
): Omit<ExecutorDeps, "documents" | "sources" | "servers" | "reader"> {
  return {
    analyst: parts.analyst ?? createModelAnalyst({ rules: createExtractiveAnalyst(), ...asked }),
    tools: createToolbox(tools),
    memo: new LRUCache<string, Decision>({ max: MEMO_SIZE }),
    roundTimeoutMs: parts.roundTimeoutMs ?? ROUND_TIMEOUT_MS,
    searchTimeoutMs: SEARCH_TIMEOUT_MS,
    ranker: rankHits,
    semantic,
    downloadTimeoutMs: DOWNLOAD_TIMEOUT_MS,
    renderMarkdown,
  };
}

interface GraphParts {
  readonly executor: ExecutorDeps;
  readonly tools: readonly Tool[];
  /** Stands in for who plans and judges. */
  readonly research?: ResearchAnalyst;
  /** Roles that judge what todos have found, after JUDGES. */
  readonly judges?: readonly JudgingRole[];
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** The children of a run as its log has them. */
  readonly childrenOf: (runId: string) => Promise<readonly Child[]>;
}

const RECALL_TIMEOUT_MS = 30_000;

/** The graphs of Dossier itself. */
export async function defineGraphs(
  { executor, tools, model, prompts, research, judges = [], childrenOf }: GraphParts,
  compiling: Compiling,
): Promise<GraphDefinition[]> {
  const { documents, sources, servers, ranker, semantic, reader, renderMarkdown, roundTimeoutMs } = executor;
  const agent: AgentDeps = {
    ...{ documents, sources, servers, ranker, semantic, reader, renderMarkdown, roundTimeoutMs, model, prompts: prompts.render },
    tools: createToolbox([...tools, SEARCH_TOOL, READ_TOOL, ...AGENT_TOOLS]),
    rules: createExtractiveAnalyst(),
  };
  const rules = createExtractiveResearch();
  const all = [...JUDGES, ...judges];
  const planned: ResearchDeps = {
    ...{ executor, agent, documents, servers, renderMarkdown, tools: createToolbox([...tools, ...AGENT_TOOLS]) },
    research: research ?? createModelResearch({ model, prompts: prompts.render, rules, judges }),
    judges: all.map(({ name }) => name),
    roles: all.map(({ prompt }) => prompt),
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

/** Told by other templates it is another program: what crashed under the former ones begins its segment again. */
function withPrompts(graph: GraphDefinition, { hashesOf }: Prompts): GraphDefinition {
  return { ...graph, fingerprint: hashJson({ graph: graph.fingerprint, prompts: hashesOf(graph.roles) }) };
}
