import { type Estimate, overdrawn } from "../domain/budget.ts";
import type { ChatRequest } from "../domain/chat.ts";
import { estimateInput } from "../domain/estimate-tokens.ts";
import type { CallOptions } from "../domain/ports/chat-model.ts";
import type { Limits } from "../domain/request.ts";
import type { Spent } from "../domain/spent.ts";
import { DossierError, type ErrorCode } from "../errors.ts";
import { costOf, priceOf } from "./prices.ts";

/** A report of fewer tokens is none. */
const LEAST_OUTPUT_TOKENS = 200;

/**
 * The request as it can be paid: where the rest is for writing and does not suffice for the longest answer, the answer is
 * made shorter.
 * @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`
 */
export function affordable(request: ChatRequest, { limits, models, purpose }: CallOptions, spent: Spent): ChatRequest {
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
  throw new DossierError(budget, explain(budget, limits, spent, purpose));
}

function explain(budget: ErrorCode, limits: Limits, spent: Spent, purpose: CallOptions["purpose"]): string {
  const share = purpose === "gather" ? "The share for writing is kept. " : "";
  if (budget === "model_call_cap")
    return `${spent.modelCalls} of ${limits.modelCalls} model calls are made; another one is not allowed. ${share}Raise limits.modelCalls (MAX_MODEL_CALLS).`;
  if (budget === "token_budget")
    return `${spent.inputTokens + spent.outputTokens} of ${limits.tokens} tokens are used; the next call may need more than is left. ${share}Raise limits.tokens (MAX_TOKENS).`;
  return `${spent.costUsd.toFixed(4)} of ${limits.costUsd} US dollars are spent; the next call may cost more than is left. ${share}Raise limits.costUsd (MAX_COST_USD).`;
}
