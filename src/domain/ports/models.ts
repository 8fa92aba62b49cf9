import type { ChatReply, ChatRequest } from "../chat.ts";
import type { Limits, Models } from "../request.ts";
import type { Effects } from "./effects.ts";

/** Filters a text that arrives in pieces; may hold a piece back until the next one decides. */
export interface TextFilter {
  /** Returns the text that can be shown now. */
  push(piece: string): string;
  /** Returns the text that was held back. */
  end(): string;
}

/** What readers see while a model streams. Without a filter they see nothing. Each try gets new filters. */
export interface StreamFilters {
  readonly content?: () => TextFilter;
  readonly reasoning?: () => TextFilter;
  /** The only addresses that tool calls show. */
  readonly known?: readonly string[];
}

export interface CallOptions {
  /** The calling node. */
  readonly node: string;
  /** Limits of the run; together with what it has spent they decide whether the call is allowed. */
  readonly limits: Limits;
  readonly models: Models;
  /** `gather` must not use the share that is kept for writing. */
  readonly purpose: "gather" | "write";
  /** For all tries together; cannot exceed the adapter's own limit. */
  readonly timeoutMs?: number;
  /** Maximum number of tries, if fewer than the adapter's own. */
  readonly tries?: number;
  readonly shown?: StreamFilters;
  /** Called with each piece of content in order; `restart` is called before each new try. */
  readonly onContent?: (piece: string) => void;
  readonly restart?: () => void;
}

/** A language model. Each try is one effect whose deltas are in the journal, so a replay needs no model. */
export interface ChatModel {
  /**
   * Returns the response to `request`. Retries errors that may pass and emits `call-restarted` for each retry.
   * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget` before a call over budget; `model_unavailable` (unreachable,
   *   overloaded or failed midway, after the last try), `model_refused` (key, model or request rejected), `context_too_large`, `timeout`
   */
  complete(request: ChatRequest, options: CallOptions, effects: Effects): Promise<ChatReply>;
}

/** Scores texts by meaning, on a server that the operator has configured. */
export interface SemanticRanker {
  /** Kind and model, such as `rerank bge-reranker-v2-m3`. A run keeps the name it started with; another ranker must not replace it. */
  readonly name: string;
  /**
   * Returns one finite score per text, in the order of the texts. Higher is better; scores of different queries are not comparable.
   * The server receives the query and all texts unchanged.
   * @throws DossierError with a code of the ledger unless every text was scored; the reason of `signal`
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/** Returns the prompt `name` (`writer`, `messages/writer-passages`) with `values` inserted verbatim: a placeholder in a value stays text. */
export type RenderPrompt = (name: string, values: Readonly<Record<string, string>>) => Promise<string>;

/** SHA-256 (hex) of templates by name. */
export type PromptHashes = Readonly<Record<string, string>>;
