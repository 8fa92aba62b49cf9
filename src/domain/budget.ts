import type { Limits } from "./request.ts";
import type { Termination } from "./run.ts";
import type { Spent } from "./spent.ts";

export type SpentBudget = Extract<Termination["reason"], "step_cap" | "model_call_cap" | "token_budget" | "cost_budget" | "time_budget">;

/** The share of tokens, money and time that is kept for reading and writing: a cap ends the gathering, never the report. */
export const WRITING_SHARE = 0.3;
/** The report and one correction of it. */
const WRITING_CALLS = 2;

const PAID_BUDGETS = ["model_call_cap", "token_budget", "cost_budget"] as const satisfies readonly SpentBudget[];
/** What a model call is paid from. */
export type PaidBudget = (typeof PAID_BUDGETS)[number];

/** What a call is expected to take at most. */
export interface Estimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** The budget that a call would overdraw, in the order calls, tokens, cost; null where it can be paid. */
export function overdrawn(limits: Limits, spent: Spent, purpose: "gather" | "write", estimate: Estimate): PaidBudget | null {
  const share = purpose === "gather" ? 1 - WRITING_SHARE : 1;
  if (spent.modelCalls + 1 > callsFor(limits, purpose)) return "model_call_cap";
  const tokens = spent.inputTokens + spent.outputTokens + estimate.inputTokens + estimate.outputTokens;
  if (tokens > limits.tokens * share) return "token_budget";
  if (limits.costUsd !== null && spent.costUsd + estimate.costUsd > limits.costUsd * share) return "cost_budget";
  return null;
}

/** Of one or two calls in all, the first one still decides. */
function callsFor({ modelCalls }: Limits, purpose: "gather" | "write"): number {
  return purpose === "write" ? modelCalls : Math.max(modelCalls - WRITING_CALLS, Math.min(modelCalls - 1, 1));
}

/** The budget for which a model call was refused, by the error's code; null for every other error. */
export function refusedBudget({ code }: { readonly code: string }): PaidBudget | null {
  return PAID_BUDGETS.find((budget) => budget === code) ?? null;
}
