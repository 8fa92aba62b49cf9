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

const price = (inputPerMillion: number, outputPerMillion: number): Price => ({ inputPerMillion, outputPerMillion });

/** US dollars per million tokens, from the public price lists of September 2025; MODEL_PRICES overrides them. */
export const KNOWN_PRICES: Readonly<Record<string, Price>> = {
  "gpt-4.1": price(2, 8),
  "gpt-4.1-mini": price(0.4, 1.6),
  "gpt-4.1-nano": price(0.1, 0.4),
  "gpt-4o": price(2.5, 10),
  "gpt-4o-mini": price(0.15, 0.6),
  "gpt-5": price(1.25, 10),
  "gpt-5-mini": price(0.25, 2),
  "gpt-5-nano": price(0.05, 0.4),
  "deepseek-chat": price(0.56, 1.68),
  "deepseek-reasoner": price(0.56, 1.68),
  "qwen-turbo": price(0.05, 0.2),
  "qwen-plus": price(0.4, 1.2),
  "qwen-max": price(1.6, 6.4),
};

const ANY = "*";
const VERSION = /[-@:](?:20\d{2}-?\d{2}-?\d{2}|\d{4}|latest)$/;

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
  const plain = model.replace(VERSION, "");
  const name = [model, plain, ANY].find((one) => Object.hasOwn(prices, one));
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
  return `${budget === undefined ? explainRunLimit(refused, limits, spent()) : NESTED_RUN_LIMITS[refused]}${reserve} ${RAISE[refused]}`;
}

/** These messages have no numbers, because the budget of a nested run is no setting and grows by borrowing. */
const NESTED_RUN_LIMITS: Readonly<Record<PaidBudget, string>> = {
  model_call_cap: "This part of the run has made all its model calls; another one is not allowed.",
  token_budget: "The next call may need more tokens than this part of the run has left.",
  cost_budget: "The next call may cost more than this part of the run has left.",
};

function explainRunLimit(budget: PaidBudget, limits: Limits, spent: Spent): string {
  if (budget === "model_call_cap") return `${spent.modelCalls} of ${limits.modelCalls} model calls are made.`;
  if (budget === "token_budget")
    return `${spent.inputTokens + spent.outputTokens} of ${limits.tokens} tokens are used; the next call may need more than is left.`;
  return `${spent.costUsd.toFixed(4)} of ${limits.costUsd} US dollars are spent; the next call may cost more than is left.`;
}
