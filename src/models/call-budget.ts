import { type Estimate, overdrawn, type PaidBudget } from "../domain/budget.ts";
import { type ChatRequest, estimateInput } from "../domain/chat.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions } from "../domain/ports/models.ts";
import type { Limits } from "../domain/request.ts";
import type { Spent } from "../domain/spent.ts";
import { DossierError } from "../errors.ts";
import { costOf, priceOf } from "./prices.ts";

/** A report of fewer tokens is none. */
const LEAST_OUTPUT_TOKENS = 200;

/** What a call is paid from: the run's limits, or a part's share of them, which can become larger. */
type Purse = Pick<Effects, "spent" | "lend">;

/**
 * The request as it can be paid: where the rest is for writing and does not suffice for the longest answer, the answer is
 * made shorter. A part of a run whose share does not suffice takes what the other parts can spare.
 * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`
 */
export function affordable(request: ChatRequest, options: CallOptions, purse: Purse): ChatRequest {
  let payable = payableOf(request, options, purse.spent());
  while (typeof payable === "string" && purse.lend?.() === true) payable = payableOf(request, options, purse.spent());
  if (typeof payable === "string") throw new DossierError(payable, explain(payable, options, purse));
  return payable;
}

/** The request, or the budget that does not allow it. */
function payableOf(request: ChatRequest, { limits, models, purpose }: CallOptions, spent: Spent): ChatRequest | PaidBudget {
  const inputTokens = estimateInput(request);
  const price = priceOf(models.prices, request.model);
  const check = (outputTokens: number) => {
    const usage = { inputTokens, outputTokens };
    const estimate: Estimate = { ...usage, costUsd: costOf(price, usage) };
    return overdrawn(limits, spent, purpose, estimate);
  };
  const budget = check(request.maxOutputTokens);
  if (budget === null) return request;
  const rest = limits.tokens - spent.inputTokens - spent.outputTokens - inputTokens;
  const shorter = Math.min(rest, request.maxOutputTokens);
  if (budget === "token_budget" && purpose === "write" && shorter >= LEAST_OUTPUT_TOKENS && check(shorter) === null)
    return { ...request, maxOutputTokens: shorter };
  return budget;
}

const RAISE: Readonly<Record<PaidBudget, string>> = {
  model_call_cap: "Raise limits.modelCalls (MAX_MODEL_CALLS).",
  token_budget: "Raise limits.tokens (MAX_TOKENS).",
  cost_budget: "Raise limits.costUsd (MAX_COST_USD).",
};

function explain(budget: PaidBudget, { limits, purpose }: CallOptions, purse: Purse): string {
  const kept = purpose === "gather" ? " The share for writing is kept." : "";
  return `${purse.lend === undefined ? ofRun(budget, limits, purse.spent()) : OF_PART[budget]}${kept} ${RAISE[budget]}`;
}

/** A part has its share of the run's limits, and perhaps more: its numbers are not those of any setting. */
const OF_PART: Readonly<Record<PaidBudget, string>> = {
  model_call_cap: "The model calls that this part of the run may make are made; another one is not allowed.",
  token_budget: "The next call may need more tokens than this part of the run has left.",
  cost_budget: "The next call may cost more than this part of the run has left.",
};

function ofRun(budget: PaidBudget, limits: Limits, spent: Spent): string {
  if (budget === "model_call_cap") return `${spent.modelCalls} of ${limits.modelCalls} model calls are made; another one is not allowed.`;
  if (budget === "token_budget")
    return `${spent.inputTokens + spent.outputTokens} of ${limits.tokens} tokens are used; the next call may need more than is left.`;
  return `${spent.costUsd.toFixed(4)} of ${limits.costUsd} US dollars are spent; the next call may cost more than is left.`;
}
