import type { CallPurpose } from "../budget.ts";
import type { ChatReply, ChatRequest } from "../chat.ts";
import type { Limits } from "../limits.ts";
import type { Models } from "../request.ts";
import type { Effects } from "./effects.ts";

/** Filters text that arrives in pieces. It may hold text back until a later piece decides whether to show it. */
export interface TextFilter {
  push(piece: string): string;
  end(): string;
}

/** Events show only text that a filter returned. Each try gets new filters. */
export interface StreamFilters {
  readonly content?: () => TextFilter;
  readonly reasoning?: () => TextFilter;
  /** Tool calls in events show only these URLs. All others are removed. */
  readonly known?: readonly string[];
}

export interface CallOptions {
  readonly node: string;
  readonly limits: Limits;
  readonly models: Models;
  /** Only `write` calls may use the budget that is reserved for the report. */
  readonly purpose: CallPurpose;
  /** If false, a nested run does not borrow from the others for this call. */
  readonly borrows?: false;
  readonly timeoutMs?: number;
  readonly tries?: number;
  readonly shown?: StreamFilters;
  readonly onContent?: (piece: string) => void;
  readonly restart?: () => void;
}

/** The calls of one model's server at the same time, if nothing else is set. */
export const DEFAULT_CONNECTIONS = 64;

export interface ChatModel {
  /**
   * Retries temporary errors. @throws DossierError `model_call_cap`, `token_budget` or `cost_budget` before a call over budget;
   * `model_unavailable` after the last try; `model_refused`, `context_too_large`, `timeout`
   */
  complete(request: ChatRequest, options: CallOptions, effects: Effects): Promise<ChatReply>;
}

export interface SemanticRanker {
  readonly name: string;
  /** Returns one finite score per text; a higher score is better. @throws DossierError if a text was not scored */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/**
 * `name` is a path such as `messages/writer-passages`. Placeholders inside values are not replaced. `own` has the templates of the run's
 * request, which replace those of the server.
 */
export type RenderPrompt = (
  name: string,
  values: Readonly<Record<string, string>>,
  own?: Readonly<Record<string, string>> | undefined,
) => Promise<string>;

export type PromptHashes = Readonly<Record<string, string>>;
