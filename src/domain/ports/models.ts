import type { ChatReply, ChatRequest } from "../chat.ts";
import type { Limits, Models } from "../request.ts";
import type { Effects } from "./effects.ts";

/** Filters text that arrives in pieces; may hold a piece back until the next one decides. */
export interface TextFilter {
  push(piece: string): string;
  end(): string;
}

/** What readers see of a stream; nothing without a filter. Each try gets new filters. */
export interface StreamFilters {
  readonly content?: () => TextFilter;
  readonly reasoning?: () => TextFilter;
  /** The only addresses that tool calls show. */
  readonly known?: readonly string[];
}

export interface CallOptions {
  readonly node: string;
  readonly limits: Limits;
  readonly models: Models;
  /** `gather` must not use the share that is kept for writing. */
  readonly purpose: "gather" | "write";
  readonly timeoutMs?: number;
  readonly tries?: number;
  readonly shown?: StreamFilters;
  readonly onContent?: (piece: string) => void;
  readonly restart?: () => void;
}

/** Each try is one effect whose deltas are in the journal, so a replay needs no model. */
export interface ChatModel {
  /**
   * Retries errors that may pass and emits `call-restarted` for each retry.
   * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget` before a call over budget; `model_unavailable` (unreachable,
   * overloaded or failed midway, after the last try), `model_refused` (key, model or request rejected), `context_too_large`, `timeout`
   */
  complete(request: ChatRequest, options: CallOptions, effects: Effects): Promise<ChatReply>;
}

export interface SemanticRanker {
  /** Kind and model, such as `rerank bge-reranker-v2-m3`. A run keeps its ranker; another must not replace it. */
  readonly name: string;
  /**
   * One finite score per text, in order; higher is better, not comparable between queries. The server gets query and texts unchanged.
   * @throws DossierError with a failure code unless every text was scored; the reason of `signal`
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/** Renders the prompt `name` (such as `messages/writer-passages`); values are inserted verbatim, placeholders in them stay text. */
export type RenderPrompt = (name: string, values: Readonly<Record<string, string>>) => Promise<string>;

export type PromptHashes = Readonly<Record<string, string>>;
