import { z } from "zod";
import { type Budget, budgetOf, type PaidBudget, type Spent } from "../domain/budget.ts";
import { type ChatRequest, estimateInput, type TokenUsage } from "../domain/chat.ts";
import type { Limits } from "../domain/limits.ts";
import { plainIssue } from "../domain/plain-issue.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions } from "../domain/ports/models.ts";
import { type Price, PriceSchema } from "../domain/request.ts";
import { DossierError, invalidSettings } from "../errors.ts";
import { parseJson } from "../util/json-fields.ts";

const ANY = "*";

/** Reads `{"gpt-4.1": {"inputPerMillion": 2, "outputPerMillion": 8}}`. @throws DossierError `config_invalid` */
export function readPrices(text: string): Record<string, Price> {
  const json = parseJson(text);
  const parsed = z.record(z.string(), PriceSchema).safeParse(json, { error: plainIssue });
  if (parsed.success) return parsed.data;
  const issues = json === undefined ? [{ path: [], message: "is not JSON" }] : parsed.error.issues;
  const faults = issues.map(({ path, message }) => ({ path: ["MODEL_PRICES", ...path].join("."), message }));
  throw invalidSettings(faults);
}

export function priceOf(prices: Readonly<Record<string, Price>>, model: string): Price | null {
  const name = [model, ANY].find((one) => Object.hasOwn(prices, one));
  return name === undefined ? null : (prices[name] ?? null);
}

export function costOf(price: Price | null, { inputTokens, outputTokens }: Pick<TokenUsage, "inputTokens" | "outputTokens">): number {
  if (price === null) return 0;
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000;
}

const MIN_OUTPUT_TOKENS = 200;

/** Lowers the output limit to fit the budget. @throws DossierError `model_call_cap`, `token_budget` or `cost_budget` */
export function fitToBudget(request: ChatRequest, options: CallOptions, effects: Pick<Effects, "spent" | "budget">): ChatRequest {
  const budget = budgetOf(options.limits, effects);
  let fitted: ChatRequest | PaidBudget = request;
  const fits = (): boolean => {
    fitted = fitOrRefuse(request, options, budget);
    return typeof fitted !== "string";
  };
  if (options.borrows === false) fits();
  else budget.borrowUntil(fits);
  if (typeof fitted === "string") throw new DossierError(fitted, explain(fitted, options, effects));
  return fitted;
}

function fitOrRefuse(request: ChatRequest, { models, purpose }: CallOptions, budget: Budget): ChatRequest | PaidBudget {
  const inputTokens = estimateInput(request);
  const price = priceOf(models.prices, request.model);
  const check = (outputTokens: number) => {
    const usage = { inputTokens, outputTokens };
    return budget.limitExceededBy(purpose, { ...usage, costUsd: costOf(price, usage) });
  };
  const refused = check(request.maxOutputTokens);
  if (refused === null) return request;
  const shorter = Math.min(budget.left.tokens - inputTokens, request.maxOutputTokens);
  if (refused === "token_budget" && purpose === "write" && shorter >= MIN_OUTPUT_TOKENS && check(shorter) === null)
    return { ...request, maxOutputTokens: shorter };
  return refused;
}

const RAISE: Readonly<Record<PaidBudget, string>> = {
  model_call_cap: "Raise limits.modelCalls, or the depth if that set it (at most MAX_MODEL_CALLS).",
  token_budget: "Raise limits.tokens, or the depth if that set it (at most MAX_TOKENS).",
  cost_budget: "Raise limits.costUsd (MAX_COST_USD).",
};

function explain(refused: PaidBudget, { limits, purpose }: CallOptions, { budget, spent }: Pick<Effects, "spent" | "budget">): string {
  const reserve = purpose === "write" ? "" : " The remaining budget is reserved for writing the report.";
  return `${budget === undefined ? explainRunLimit(refused, limits, spent()) : NESTED_RUN_LIMIT}${reserve} ${RAISE[refused]}`;
}

/** Without numbers, because the budget of a nested run is no setting and grows by borrowing. */
const NESTED_RUN_LIMIT = "The next call does not fit into what this part of the run has left.";

function explainRunLimit(budget: PaidBudget, limits: Limits, spent: Spent): string {
  if (budget === "model_call_cap") return `${spent.modelCalls} of ${limits.modelCalls} model calls are made.`;
  if (budget === "token_budget")
    return `${spent.inputTokens + spent.outputTokens} of ${limits.tokens} tokens are used; the next call may need more than is left.`;
  return `${spent.costUsd.toFixed(4)} of ${limits.costUsd} US dollars are spent; the next call may cost more than is left.`;
}
