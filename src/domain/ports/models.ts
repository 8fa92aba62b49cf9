import type { ChatReply, ChatRequest } from "../chat.ts";
import type { Limits, Models } from "../request.ts";
import type { Effects } from "./effects.ts";

/** What readers are shown while a model speaks; nothing where there is no filter. One filter is made for each try. */
export interface StreamFilters {
  readonly content?: () => TextFilter;
  readonly reasoning?: () => TextFilter;
  /** Addresses that may stand in calls; no others are shown there. */
  readonly known?: readonly string[];
}

export interface CallOptions {
  /** The node that speaks. */
  readonly node: string;
  /** Of the run; with what it has spent they say whether the call can be paid. */
  readonly limits: Limits;
  readonly models: Models;
  /** What is gathered for may not touch the share that is kept for writing. */
  readonly purpose: "gather" | "write";
  /** The most milliseconds for all tries together; at most the adapter's own limit. */
  readonly timeoutMs?: number;
  /** The most tries, where they are to be fewer than the adapter's own. */
  readonly tries?: number;
  readonly shown?: StreamFilters;
  /** Told of every piece of content in its turn; a new try begins with `restart`. */
  readonly onContent?: (piece: string) => void;
  readonly restart?: () => void;
}

/** A language model. Each try is one effect, with its deltas in the journal, so that a replay needs no model. */
export interface ChatModel {
  /**
   * The response to `request`. Tries again where that helps, and says `call-restarted` then.
   * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget` before a call that cannot be paid; `model_unavailable`
   *   (not reached, too busy, failed in the middle; after the last try), `model_refused` (key, model or request not accepted),
   *   `context_too_large`, `timeout`
   */
  complete(request: ChatRequest, options: CallOptions, effects: Effects): Promise<ChatReply>;
}

/** What readers are shown of a text that arrives in pieces; may hold a piece back until it knows more. */
export interface TextFilter {
  /** What may be shown now that `piece` has come. */
  push(piece: string): string;
  /** What was held back, when nothing more comes. */
  end(): string;
}

/** Judges by meaning what the words of a question do not reach; always a server that the operator named. */
export interface SemanticRanker {
  /** Its kind and model, such as `rerank bge-reranker-v2-m3`: a run is told it at its start, and no other one may stand in for it. */
  readonly name: string;
  /**
   * How well each text answers the query: one finite number for each, in the order of the texts. Higher is better; the scale is the
   * server's own and says nothing across queries. Sends the query and the texts as they are, all of them, to one server.
   * @throws DossierError with a code of the ledger where not every text was scored; the reason of the signal
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/**
 * The text of the prompt of that name, such as `writer` or `messages/writer-passages`, with its placeholders filled by `values` as they
 * are: nothing in a value is read as a placeholder.
 */
export type RenderPrompt = (name: string, values: Readonly<Record<string, string>>) => Promise<string>;

/** SHA-256 (hex) of templates, by their names. */
export type PromptHashes = Readonly<Record<string, string>>;
