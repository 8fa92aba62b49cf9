import { type Budget, budgetOf, type PaidBudget } from "../domain/budget.ts";
import { type ChatRequest, estimateInput } from "../domain/chat.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions } from "../domain/ports/models.ts";
import type { Limits } from "../domain/request.ts";
import type { Spent } from "../domain/spent.ts";
import { DossierError } from "../errors.ts";
import { costOf, priceOf } from "./prices.ts";

/** A report of fewer tokens is none. */
const LEAST_OUTPUT_TOKENS = 200;

/**
 * The request as it can be paid: an answer that is for writing is made shorter if the rest does not suffice for the longest one. A part
 * of a run borrows from the other parts.
 * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`
 */
export function affordable(request: ChatRequest, options: CallOptions, effects: Pick<Effects, "spent" | "budget">): ChatRequest {
  const budget = budgetOf(options.limits, effects);
  let payable = payableOf(request, options, budget);
  while (typeof payable === "string" && budget.borrow()) payable = payableOf(request, options, budget);
  if (typeof payable === "string") throw new DossierError(payable, explain(payable, options, effects));
  return payable;
}

/** The request, or the budget that does not allow it. */
function payableOf(request: ChatRequest, { models, purpose }: CallOptions, budget: Budget): ChatRequest | PaidBudget {
  const inputTokens = estimateInput(request);
  const price = priceOf(models.prices, request.model);
  const check = (outputTokens: number) => {
    const usage = { inputTokens, outputTokens };
    return budget.refusal(purpose, { ...usage, costUsd: costOf(price, usage) });
  };
  const refused = check(request.maxOutputTokens);
  if (refused === null) return request;
  const shorter = Math.min(budget.left.tokens - inputTokens, request.maxOutputTokens);
  if (refused === "token_budget" && purpose === "write" && shorter >= LEAST_OUTPUT_TOKENS && check(shorter) === null)
    return { ...request, maxOutputTokens: shorter };
  return refused;
}

const RAISE: Readonly<Record<PaidBudget, string>> = {
  model_call_cap: "Raise limits.modelCalls (MAX_MODEL_CALLS).",
  token_budget: "Raise limits.tokens (MAX_TOKENS).",
  cost_budget: "Raise limits.costUsd (MAX_COST_USD).",
};

function explain(refused: PaidBudget, { limits, purpose }: CallOptions, { budget, spent }: Pick<Effects, "spent" | "budget">): string {
  const kept = purpose === "gather" ? " The share for writing is kept." : "";
  return `${budget === undefined ? ofRun(refused, limits, spent()) : OF_PART[refused]}${kept} ${RAISE[refused]}`;
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
