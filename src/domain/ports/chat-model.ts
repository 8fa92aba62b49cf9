import type { ChatReply, ChatRequest } from "../chat.ts";
import type { Limits, Models } from "../request.ts";
import type { TextFilter } from "../text-filter.ts";
import type { Effects } from "./effects.ts";

/** What readers are shown while a model speaks; nothing where there is no filter. One filter is made for each try. */
export interface Shown {
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
  readonly shown?: Shown;
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
