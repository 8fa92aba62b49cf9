import { LRUCache } from "lru-cache";
import { createExtractiveAnalyst } from "../analyst/extractive/analyst.ts";
import { createModelAnalyst } from "../analyst/model/analyst.ts";
import { type Config, serviceSettings } from "../config.ts";
import type { Analyst, Decision } from "../domain/ports/analyst.ts";
import type { ChatModel } from "../domain/ports/chat-model.ts";
import type { DocumentExtractor } from "../domain/ports/document-reader.ts";
import type { HttpFetch } from "../domain/ports/http-fetch.ts";
import type { RenderPrompt } from "../domain/ports/prompts.ts";
import type { SemanticRanker } from "../domain/ports/semantic-ranker.ts";
import type { Tool } from "../domain/ports/tool.ts";
import type { ExecutorDeps } from "../graphs/executor.ts";
import { rankHits } from "../ranking/rank-hits.ts";
import { renderMarkdown } from "../reports/render-markdown.ts";
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
  const ids = TOOLS.flatMap(({ endpoints }) => endpoints.map(({ id }) => id));
  const configured = new Set(ids.filter((id) => config !== undefined && serviceSettings(config, id).baseUrl !== undefined));
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
