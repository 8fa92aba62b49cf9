import type { ChatReply, ChatRequest } from "../chat.ts";
import type { Limits, Models } from "../request.ts";
import type { Effects } from "./effects.ts";

/** Filters text that arrives in pieces. It may hold back a piece until the next one decides whether to show it. */
export interface TextFilter {
  push(piece: string): string;
  end(): string;
}

/** Creates the filters of the text that events show. Text without a filter is not shown. Each try gets new filters. */
export interface StreamFilters {
  readonly content?: () => TextFilter;
  readonly reasoning?: () => TextFilter;
  /** Tool calls in events show only these URLs; all others are removed. */
  readonly known?: readonly string[];
}

export interface CallOptions {
  readonly node: string;
  readonly limits: Limits;
  readonly models: Models;
  /** `gather` calls may not use the budget that is reserved for writing; `write` calls may. */
  readonly purpose: "gather" | "write";
  readonly timeoutMs?: number;
  readonly tries?: number;
  readonly shown?: StreamFilters;
  readonly onContent?: (piece: string) => void;
  readonly restart?: () => void;
}

/** A chat model. Each try is one effect whose pieces are in the journal, so a replay needs no model. */
/** The calls of one model's server at the same time, if nothing else is set. */
export const DEFAULT_CONNECTIONS = 64;

export interface ChatModel {
  /**
   * Retries temporary errors and emits `call-restarted` for each retry.
   * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget` before a call over budget; `model_unavailable` (unreachable,
   * overloaded or failed midway, after the last try), `model_refused` (key, model or request rejected), `context_too_large`, `timeout`
   */
  complete(request: ChatRequest, options: CallOptions, effects: Effects): Promise<ChatReply>;
}

export interface SemanticRanker {
  /** The ranker's kind and model, such as `rerank bge-reranker-v2-m3`. A run uses one ranker to its end. */
  readonly name: string;
  /**
   * Returns one finite score per text, in the order of the texts. Higher is better; scores of different queries cannot be compared.
   * @throws DossierError with a failure code unless every text was scored; the reason of `signal`
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/** Renders the prompt `name`, such as `messages/writer-passages`. Values are inserted unchanged; placeholders in them are not replaced. */
export type RenderPrompt = (name: string, values: Readonly<Record<string, string>>) => Promise<string>;

export type PromptHashes = Readonly<Record<string, string>>;
