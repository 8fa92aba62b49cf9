import { z } from "zod";
import type { JournalRecord } from "./recording.ts";
import type { Limits } from "./request.ts";
import type { Termination } from "./run.ts";

/** Sums over the model calls of a run; every try counts as a call. */
export const SpentSchema = z.object({
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Spent = Readonly<z.infer<typeof SpentSchema>>;

export const NOTHING_SPENT: Spent = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

const count = z.number().nonnegative().catch(0);

/** The cost in a recorded result; 0 for a result of another form. */
const ReceiptSchema = z
  .object({ usage: z.object({ inputTokens: count, outputTokens: count }).catch({ inputTokens: 0, outputTokens: 0 }), costUsd: count })
  .catch({ usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 });

/** Adds a completion of the journal. Only results of model calls carry `usage` and `costUsd`. */
export function addSpent(spent: Spent, { kind, ok, result }: Pick<JournalRecord, "kind" | "ok" | "result">): Spent {
  if (kind !== "model") return spent;
  const { usage, costUsd } = ReceiptSchema.parse(ok ? result : null);
  return {
    modelCalls: spent.modelCalls + 1,
    inputTokens: spent.inputTokens + usage.inputTokens,
    outputTokens: spent.outputTokens + usage.outputTokens,
    costUsd: spent.costUsd + costUsd,
  };
}

export type SpentBudget = Extract<Termination["reason"], "step_cap" | "model_call_cap" | "token_budget" | "cost_budget" | "time_budget">;

/** The share of tokens, money and time that is kept for the report: a limit ends the gathering, never the report. */
export const WRITING_SHARE = 0.3;
/** The report and one correction of it. */
const WRITING_CALLS = 2;
/** Model calls reserved for each nested run that has not started: a decision, the writing, the assessment. */
const RESERVED_CALLS_PER_NESTED_RUN = 3;
/** Calls that todos leave for the verdict, another plan and the summary: at least 3, and at most each of them with a correction. */
const MIN_KEPT_CALLS = 3;
const MOST_KEPT_CALLS = 6;
const SUPERVISOR_CALLS = 1;

const PAID_BUDGETS = ["model_call_cap", "token_budget", "cost_budget"] as const satisfies readonly SpentBudget[];
export type PaidBudget = (typeof PAID_BUDGETS)[number];

export type Amounts = Pick<Limits, "modelCalls" | "tokens" | "costUsd" | "downloads">;

interface Estimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

interface BudgetOptions {
  /** What the whole run has left, which no nested run may exceed. */
  readonly ceiling?: () => Amounts;
  /** How many nested runs have not started; each keeps a reserve of three calls. */
  readonly waiting?: () => number;
  readonly lender?: Budget;
}

/** A budget that nested runs share: each gets a share, borrows call by call and releases the rest. Uses neither clock nor chance, so replays agree. */
export class Budget {
  /** What was allocated. The reserve for writing is a share of it. */
  readonly limits: Amounts;
  readonly #options: BudgetOptions;
  #left: Amounts;

  constructor(limits: Amounts, options: BudgetOptions = {}) {
    this.limits = limits;
    this.#options = options;
    this.#left = limits;
  }

  static ofRun(limits: Amounts, spent: Spent): Budget {
    const budget = new Budget(limits);
    budget.spend(spent);
    return budget;
  }

  /** The budget that the todos of a plan share: 70 % of the run's. `spent` and `downloads` are what the run has used so far. */
  static ofTodos(limits: Amounts, spent: Spent, downloads: number, options: BudgetOptions = {}): Budget {
    const kept = Math.min(MOST_KEPT_CALLS, Math.max(MIN_KEPT_CALLS, Math.ceil(limits.modelCalls * WRITING_SHARE)));
    const budget = new Budget(gathering(limits, kept), options);
    budget.spend(spent, downloads);
    return budget;
  }

  /** The budget that the children of a team share: 70 % of the run's, and all calls but the supervisor's. */
  static ofChildren(limits: Amounts, spent: Spent, downloads = 0): Budget {
    const budget = new Budget(gathering(limits, SUPERVISOR_CALLS));
    budget.spend(spent, downloads);
    return budget;
  }

  /** No amount is negative. */
  get left(): Amounts {
    return atLeastNone(smaller(this.#left, this.#options.ceiling?.() ?? this.#left));
  }

  /** An equal share for one of `parts` not started yet, with at least `least` calls, tokens and downloads while there are any. */
  share(parts: number, least = 0): Amounts {
    const { modelCalls, tokens, costUsd, downloads } = atLeastNone(this.#left);
    const among = Math.max(1, parts);
    const part = (left: number): number => Math.max(Math.min(least, left), Math.floor(left / among));
    return {
      modelCalls: part(modelCalls),
      tokens: part(tokens),
      costUsd: costUsd === null ? null : costUsd / among,
      // With fewer downloads than parts, the first parts get one each.
      downloads: least > 0 ? part(downloads) : Math.ceil(downloads / among),
    };
  }

  /** The budget of a nested run. `earlier` is what it spent of `limits` before this execution, if it waited for the user. */
  allocate(limits: Amounts, earlier: Spent = NOTHING_SPENT): Budget {
    const { ceiling } = this.#options;
    const part = new Budget(limits, { lender: this, ...(ceiling && { ceiling }) });
    part.spend(earlier);
    part.#left = atLeastNone(part.#left);
    this.#left = minus(this.#left, part.#left);
    return part;
  }

  /** Takes one model call, with an average call's tokens and money, from the lender. False if the lender needs all it has. */
  borrow(): boolean {
    const { lender } = this.#options;
    const loan = lender === undefined ? null : lender.#loan();
    if (loan !== null) this.#left = plus(this.#left, loan);
    return loan !== null;
  }

  spend({ modelCalls, inputTokens, outputTokens, costUsd }: Spent, downloads = 0): void {
    this.#left = minus(this.#left, { modelCalls, tokens: inputTokens + outputTokens, costUsd, downloads });
  }

  /** Returns what is left to the lender. @param downloads how many were used */
  release(downloads: number): void {
    const { lender } = this.#options;
    this.spend(NOTHING_SPENT, downloads);
    if (lender !== undefined) lender.#left = plus(lender.#left, atLeastNone(this.#left));
    this.#left = minus(this.#left, this.#left);
  }

  /** The budget that refuses a call, in the order calls, tokens, cost; null if the call can be paid. Only `write` may use the reserve for writing. */
  refusal(purpose: "gather" | "write", { inputTokens, outputTokens, costUsd }: Estimate): PaidBudget | null {
    const { left, limits } = this;
    const gathers = purpose === "gather";
    const reserve = gathers ? WRITING_SHARE : 0;
    if (left.modelCalls < 1 + (gathers ? reservedCalls(limits) : 0)) return "model_call_cap";
    if (inputTokens + outputTokens > left.tokens - limits.tokens * reserve) return "token_budget";
    if (left.costUsd !== null && costUsd > left.costUsd - (limits.costUsd ?? 0) * reserve) return "cost_budget";
    return null;
  }

  #loan(): Amounts | null {
    const { modelCalls, tokens, costUsd } = this.#left;
    const reserved = (this.#options.waiting?.() ?? 0) * RESERVED_CALLS_PER_NESTED_RUN;
    if (modelCalls <= reserved || tokens <= 0 || (costUsd !== null && costUsd <= 0)) return null;
    const loan = {
      modelCalls: 1,
      tokens: Math.floor(tokens / modelCalls),
      costUsd: costUsd === null ? null : costUsd / modelCalls,
      downloads: 0,
    };
    this.#left = minus(this.#left, loan);
    return loan;
  }
}

export function budgetOf(limits: Amounts, effects: { readonly budget?: Budget; spent(): Spent }): Budget {
  return effects.budget ?? Budget.ofRun(limits, effects.spent());
}

/** The budget for which a model call was refused, by the error's code; null for every other error. */
export function refusedBudget({ code }: { readonly code: string }): PaidBudget | null {
  return PAID_BUDGETS.find((budget) => budget === code) ?? null;
}

function gathering({ modelCalls, tokens, costUsd, downloads }: Amounts, keptCalls: number): Amounts {
  const share = 1 - WRITING_SHARE;
  const money = costUsd === null ? null : costUsd * share;
  return { modelCalls: modelCalls - keptCalls, tokens: Math.floor(tokens * share), costUsd: money, downloads };
}

/** With one or two calls in all, the first one still decides. */
function reservedCalls({ modelCalls }: Amounts): number {
  return Math.min(WRITING_CALLS, Math.max(1, modelCalls - 1));
}

function combine(one: Amounts, other: Amounts, by: (a: number, b: number) => number): Amounts {
  return {
    modelCalls: by(one.modelCalls, other.modelCalls),
    tokens: by(one.tokens, other.tokens),
    costUsd: one.costUsd === null ? null : by(one.costUsd, other.costUsd ?? 0),
    downloads: by(one.downloads, other.downloads),
  };
}

const plus = (one: Amounts, other: Amounts): Amounts => combine(one, other, (a, b) => a + b);
const minus = (one: Amounts, other: Amounts): Amounts => combine(one, other, (a, b) => a - b);
const smaller = (one: Amounts, other: Amounts): Amounts => combine(one, other, Math.min);
const atLeastNone = (amounts: Amounts): Amounts => combine(amounts, amounts, (amount) => Math.max(0, amount));
