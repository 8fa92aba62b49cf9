import { WRITING_SHARE } from "../../domain/budget.ts";
import type { Limits } from "../../domain/request.ts";
import type { Spent } from "../../domain/spent.ts";

/** What is divided among todos; all else of their limits is as that of the run. */
export interface Portion {
  readonly modelCalls: number;
  readonly tokens: number;
  readonly costUsd: number | null;
  readonly downloads: number;
}

/** The calls of a todo that is done at once: a decision, the writing, the judging. */
const CALLS_OF_TODO = 3;
/** The calls of a run that its todos leave for judging and summing up, where there are that many. */
const LEAST_KEPT_CALLS = 3;
/** A verdict, another plan and the summary, each with its correction: more are not needed, however many a run may make. */
const MOST_KEPT_CALLS = 6;

/**
 * What a run has left for its todos. Each takes an equal part of what is there when it begins, among those that have not begun; what
 * it leaves over goes to those that begin later, and to those that need more than their part.
 */
export class SharePool {
  #left: Portion;

  /** @param downloads how many there have been */
  constructor(limits: Limits, spent: Spent, downloads: number) {
    const share = 1 - WRITING_SHARE;
    const kept = Math.min(MOST_KEPT_CALLS, Math.max(LEAST_KEPT_CALLS, Math.ceil(limits.modelCalls * WRITING_SHARE)));
    this.#left = {
      modelCalls: atLeastNone(limits.modelCalls - kept - spent.modelCalls),
      tokens: atLeastNone(Math.floor(limits.tokens * share) - spent.inputTokens - spent.outputTokens),
      costUsd: limits.costUsd === null ? null : atLeastNone(limits.costUsd * share - spent.costUsd),
      downloads: atLeastNone(limits.downloads - downloads),
    };
  }

  /** @param among how many have not begun, this one included */
  take(among: number): Portion {
    const modelCalls = atLeastNone(this.#left.modelCalls);
    const tokens = atLeastNone(this.#left.tokens);
    const costUsd = this.#left.costUsd === null ? null : atLeastNone(this.#left.costUsd);
    const downloads = atLeastNone(this.#left.downloads);
    const parts = Math.max(1, among);
    const taken = {
      modelCalls: Math.floor(modelCalls / parts),
      tokens: Math.floor(tokens / parts),
      costUsd: costUsd === null ? null : costUsd / parts,
      // Of fewer downloads than todos the first ones have one each.
      downloads: Math.ceil(downloads / parts),
    };
    this.#add(taken, -1);
    return taken;
  }

  /**
   * What is left of `taken` by a todo that goes on after a wait belongs to nobody else, even where others have taken it in the meantime.
   * `used` is what it has spent; its downloads are in no count before it ends.
   */
  resume(taken: Portion, used: Spent): void {
    const left: Portion = {
      modelCalls: atLeastNone(taken.modelCalls - used.modelCalls),
      tokens: atLeastNone(taken.tokens - used.inputTokens - used.outputTokens),
      costUsd: taken.costUsd === null ? null : atLeastNone(taken.costUsd - used.costUsd),
      downloads: taken.downloads,
    };
    this.#add(left, -1);
  }

  /**
   * One call more, with as much of tokens and money as there is for one; null where all that is left is for those that have not begun.
   * @param waiting how many have not begun
   */
  lend(waiting: number): Portion | null {
    const { modelCalls, tokens, costUsd } = this.#left;
    if (modelCalls <= waiting * CALLS_OF_TODO) return null;
    const lent = {
      modelCalls: 1,
      tokens: Math.floor(tokens / modelCalls),
      costUsd: costUsd === null ? null : costUsd / modelCalls,
      downloads: 0,
    };
    this.#add(lent, -1);
    return lent;
  }

  /** @param used what was spent of it, beyond what was lent */
  giveBack(taken: Portion, used: Spent, downloads: number): void {
    const over: Portion = {
      modelCalls: atLeastNone(taken.modelCalls - used.modelCalls),
      tokens: atLeastNone(taken.tokens - used.inputTokens - used.outputTokens),
      costUsd: taken.costUsd === null ? null : atLeastNone(taken.costUsd - used.costUsd),
      downloads: atLeastNone(taken.downloads - downloads),
    };
    this.#add(over, 1);
  }

  #add(portion: Portion, sign: 1 | -1): void {
    const { modelCalls, tokens, costUsd, downloads } = this.#left;
    this.#left = {
      modelCalls: modelCalls + sign * portion.modelCalls,
      tokens: tokens + sign * portion.tokens,
      costUsd: costUsd === null ? null : costUsd + sign * (portion.costUsd ?? 0),
      downloads: downloads + sign * portion.downloads,
    };
  }
}

function atLeastNone(amount: number): number {
  return Math.max(0, amount);
}
