import { z } from "zod";
import type { Limits } from "./limits.ts";
import type { JournalRecord } from "./recording.ts";
import type { Termination } from "./run.ts";

/** The sums over all model calls of a run. A retry counts as a call. */
export const SpentSchema = z.object({
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Spent = Readonly<z.infer<typeof SpentSchema>>;

export const NOTHING_SPENT: Spent = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

const count = z.number().nonnegative().catch(0);

const CallCostSchema = z
  .object({ usage: z.object({ inputTokens: count, outputTokens: count }).catch({ inputTokens: 0, outputTokens: 0 }), costUsd: count })
  .catch({ usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 });

export function addSpent(spent: Spent, { kind, ok, result }: Pick<JournalRecord, "kind" | "ok" | "result">): Spent {
  if (kind !== "model") return spent;
  const { usage, costUsd } = CallCostSchema.parse(ok ? result : null);
  return {
    modelCalls: spent.modelCalls + 1,
    inputTokens: spent.inputTokens + usage.inputTokens,
    outputTokens: spent.outputTokens + usage.outputTokens,
    costUsd: spent.costUsd + costUsd,
  };
}

/** What a model call is for: `gather`, `write` a text, or `converse`, as the calls of an agent, each of which gathers or answers. */
export type CallPurpose = "gather" | "converse" | "write";

export type SpentBudget = Extract<Termination["reason"], "step_cap" | "model_call_cap" | "token_budget" | "cost_budget" | "time_budget">;

/** This share of tokens, money and time is reserved for the report, so that every run can write one. */
export const WRITING_SHARE = 0.3;
const WRITING_CALLS = 2;
/** Kept for each nested run that has not had its turn: three documents, and calls for its decision, for a note on each, and its assessment. */
const RESERVED_PER_NESTED_RUN = { downloads: 3, modelCalls: 5 } as const;
/** The todos leave 3 to 6 model calls for the verdict, a second plan and the summary, and 10 if the summary is written in sections. */
const MIN_KEPT_CALLS = 3;
const MAX_KEPT_CALLS = 6;
const MAX_KEPT_CALLS_IN_SECTIONS = 10;
const SUPERVISOR_CALLS = 1;

const PAID_BUDGETS = ["model_call_cap", "token_budget", "cost_budget"] as const satisfies readonly SpentBudget[];
export type PaidBudget = (typeof PAID_BUDGETS)[number];

export type Amounts = Pick<Limits, "modelCalls" | "tokens" | "costUsd" | "downloads">;

interface BudgetOptions {
  readonly ceiling?: () => Amounts;
  /** Returns the number of nested runs that have not started. */
  readonly waiting?: () => number;
  readonly lender?: Budget;
  /** Whether the summary will be written in sections. */
  readonly inSections?: boolean;
}

/** Divides a run's limits among nested runs. Uses no clock and no randomness, so that a replay spends the same amounts. */
export class Budget {
  readonly limits: Amounts;
  readonly #options: BudgetOptions;
  /** The nested budgets that have not taken a download. */
  readonly #idle = new Set<Budget>();
  /** How many nested budgets there were, those that have ended included. */
  #allocated = 0;
  #left: Amounts;

  constructor(limits: Amounts, options: BudgetOptions = {}) {
    this.limits = limits;
    this.#options = options;
    this.#left = limits;
  }

  static ofRun(limits: Amounts, spent: Spent): Budget {
    return new Budget(limits).spend(spent);
  }

  /**
   * Todos share 70 % of the tokens and money, and all model calls except 3 to 6, or 10. What the run has spent is subtracted. Downloads are not
   * shared but taken one by one.
   */
  static ofTodos(limits: Amounts, spent: Spent, downloads: number, options: BudgetOptions = {}): Budget {
    const most = options.inSections ? MAX_KEPT_CALLS_IN_SECTIONS : MAX_KEPT_CALLS;
    const kept = Math.min(most, Math.max(MIN_KEPT_CALLS, Math.ceil(limits.modelCalls * WRITING_SHARE)));
    return new Budget(gatheringLimits(limits, kept), options).spend(spent, downloads);
  }

  /** Children share 70 % of the tokens and money, and all model calls except one for the supervisor. */
  static ofChildren(limits: Amounts, spent: Spent, downloads = 0): Budget {
    return new Budget(gatheringLimits(limits, SUPERVISOR_CALLS)).spend(spent, downloads);
  }

  get left(): Amounts {
    return atLeastZero(minimum(this.#left, this.#options.ceiling?.() ?? this.#left));
  }

  /** Returns an equal share for one of `runs` nested runs. If enough is left, it has at least `least` calls, tokens and downloads. */
  share(runs: number, least = 0): Amounts {
    const { modelCalls, tokens, costUsd, downloads } = atLeastZero(this.#left);
    const count = Math.max(1, runs);
    const shareOf = (left: number): number => Math.max(Math.min(least, left), Math.floor(left / count));
    return {
      modelCalls: shareOf(modelCalls),
      tokens: shareOf(tokens),
      costUsd: costUsd === null ? null : costUsd / count,
      downloads: least > 0 ? shareOf(downloads) : Math.ceil(downloads / count),
    };
  }

  /**
   * Returns what one of `runs` nested runs starts with: an equal share, with no more model calls than are kept for each, and tokens and money
   * in proportion. It borrows what it needs beyond, so that a run beside it can use what this one does not need.
   */
  firstShare(runs: number): Amounts {
    const share = this.share(runs);
    const { modelCalls } = RESERVED_PER_NESTED_RUN;
    if (share.modelCalls <= modelCalls) return share;
    const part = modelCalls / share.modelCalls;
    const costUsd = share.costUsd === null ? null : share.costUsd * part;
    return { ...share, modelCalls, tokens: Math.floor(share.tokens * part), costUsd };
  }

  /** `earlier` is what the nested run spent before it waited for the user. */
  allocate(limits: Amounts, earlier: Spent = NOTHING_SPENT): Budget {
    const { ceiling } = this.#options;
    const nested = new Budget(limits, { lender: this, ...(ceiling && { ceiling }) }).spend(earlier);
    nested.#left = atLeastZero(nested.#left);
    this.#left = minus(this.#left, nested.#left);
    this.#idle.add(nested);
    this.#allocated += 1;
    return nested;
  }

  /** Takes one model call, with average tokens and cost, from the lender. Returns false if the lender has none to spare. */
  borrow(): boolean {
    const { lender } = this.#options;
    const loan = lender === undefined ? null : lender.#lend(this);
    if (loan !== null) this.#left = plus(this.#left, loan);
    return loan !== null;
  }

  /**
   * Borrows up to `wanted` calls for gathering, so that calls that are made side by side are not refused because others borrowed meanwhile.
   * Returns how many there are, if each needs few tokens.
   */
  takeCallsToGather(wanted: number): number {
    const own = (): number => Math.max(0, this.left.modelCalls - reservedCalls("gather", this.limits));
    for (let before = -1; own() > before && own() < wanted; this.borrow()) before = own();
    return Math.min(wanted, own());
  }

  borrowUntil(isEnough: () => boolean): boolean {
    const { lender } = this.#options;
    const before = { own: this.#left, lent: lender === undefined ? null : lender.#left };
    while (!isEnough()) {
      if (this.borrow()) continue;
      this.#left = before.own;
      if (lender !== undefined && before.lent !== null) lender.#left = before.lent;
      return false;
    }
    return true;
  }

  /**
   * Takes up to `wanted` downloads, first from its own, then from the lender, which keeps some for each nested run that has not taken any;
   * nothing is kept from the first `forAll`, which all nested runs use. Returns how many it got.
   */
  takeDownloads(wanted: number, forAll = 0): number {
    const { lender } = this.#options;
    const own = Math.min(wanted, Math.max(0, this.#left.downloads));
    this.#left = { ...this.#left, downloads: this.#left.downloads - own };
    return own + (lender === undefined || own === wanted ? 0 : lender.#lendDownloads(wanted - own, forAll - own, this));
  }

  /** How many downloads it has, those that the lender could lend included. */
  get downloadsLeft(): number {
    return Math.max(0, this.#left.downloads) + Math.max(0, this.#options.lender?.left.downloads ?? 0);
  }

  /** How many tokens it has, those included that come with all the calls that the lender could lend. */
  get tokensLeft(): number {
    const { lender, ceiling } = this.#options;
    const own = Math.max(0, this.#left.tokens) + (lender === undefined ? 0 : lender.#lendableTokens(this));
    return Math.max(0, Math.min(own, ceiling?.().tokens ?? own));
  }

  /** Gives back downloads that were taken and not made. */
  returnDownloads(count: number): void {
    const owner = this.#options.lender ?? this;
    owner.#left = { ...owner.#left, downloads: owner.#left.downloads + count };
  }

  spend({ modelCalls, inputTokens, outputTokens, costUsd }: Spent, downloads = 0): this {
    this.#left = minus(this.#left, { modelCalls, tokens: inputTokens + outputTokens, costUsd, downloads });
    return this;
  }

  /** Returns the rest to the lender. */
  release(): void {
    const { lender } = this.#options;
    if (lender !== undefined) {
      lender.#idle.delete(this);
      lender.#left = plus(lender.#left, atLeastZero(this.#left));
    }
    this.#left = minus(this.#left, this.#left);
  }

  /** Returns the limit that a call would exceed, or null. Only `write` calls may use the share reserved for the report. */
  limitExceededBy(purpose: CallPurpose, { inputTokens, outputTokens, costUsd }: Omit<Spent, "modelCalls">): PaidBudget | null {
    const { left, limits } = this;
    const reserve = purpose === "write" ? 0 : WRITING_SHARE;
    if (left.modelCalls < 1 + reservedCalls(purpose, limits)) return "model_call_cap";
    if (inputTokens + outputTokens > left.tokens - limits.tokens * reserve) return "token_budget";
    if (left.costUsd !== null && costUsd > left.costUsd - (limits.costUsd ?? 0) * reserve) return "cost_budget";
    return null;
  }

  #lendDownloads(wanted: number, forAll: number, borrower: Budget): number {
    this.#idle.delete(borrower);
    const { downloads } = this.#left;
    const free = Math.max(downloads - this.#keptForOthers("downloads", borrower), Math.min(forAll, downloads));
    const lent = Math.max(0, Math.min(wanted, free));
    this.#left = { ...this.#left, downloads: downloads - lent };
    return lent;
  }

  /**
   * Returns what is not lent, because it is kept for the nested runs that have not started, and for those that have not read anything as far
   * as they have less: the reserve, or an equal share of the limit if that is less. Shares below one are kept together, so that the first
   * run cannot take what would be the only download of several others.
   */
  #keptForOthers(amount: keyof typeof RESERVED_PER_NESTED_RUN, borrower: Budget): number {
    const waiting = this.#options.waiting?.() ?? 0;
    const idle = [...this.#idle].filter((nested) => nested !== borrower);
    const each = Math.min(RESERVED_PER_NESTED_RUN[amount], this.limits[amount] / Math.max(1, waiting + this.#allocated));
    const missing = idle.map((nested) => Math.max(0, each - nested.left[amount]));
    return Math.floor(missing.reduce((sum, one) => sum + one, waiting * each));
  }

  #lendableTokens(borrower: Budget): number {
    const { modelCalls, tokens } = this.#left;
    const calls = Math.max(0, modelCalls - this.#keptForOthers("modelCalls", borrower));
    return calls === 0 || tokens <= 0 ? 0 : Math.floor(tokens * (calls / modelCalls));
  }

  #lend(borrower: Budget): Amounts | null {
    const { modelCalls, tokens, costUsd } = this.#left;
    if (modelCalls <= this.#keptForOthers("modelCalls", borrower) || tokens <= 0 || (costUsd !== null && costUsd <= 0)) return null;
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

export function refusedBudget({ code }: { readonly code: string }): PaidBudget | null {
  return PAID_BUDGETS.find((budget) => budget === code) ?? null;
}

function gatheringLimits({ modelCalls, tokens, costUsd, downloads }: Amounts, keptCalls: number): Amounts {
  const share = 1 - WRITING_SHARE;
  const money = costUsd === null ? null : costUsd * share;
  return { modelCalls: modelCalls - keptCalls, tokens: Math.floor(tokens * share), costUsd: money, downloads };
}

/** The text and its correction. An agent's text needs one call, so the second is not kept before two may gather. */
function reservedCalls(purpose: CallPurpose, { modelCalls }: Amounts): number {
  if (purpose === "write") return 0;
  const gathering = purpose === "gather" ? 1 : 2;
  return Math.min(WRITING_CALLS, Math.max(1, modelCalls - gathering));
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
const minimum = (one: Amounts, other: Amounts): Amounts => combine(one, other, Math.min);
const atLeastZero = (amounts: Amounts): Amounts => combine(amounts, amounts, (amount) => Math.max(0, amount));
