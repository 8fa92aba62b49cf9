import { DossierError } from "../errors.ts";
import type { Caller } from "./owners.ts";

/** What may be spent on models from midnight to midnight in UTC; null: as much as the limits of each run allow. */
export interface Allowance {
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

export const UNLIMITED: Allowance = { tokens: null, costUsd: null };

/** What was paid for models. */
export interface Spending {
  readonly tokens: number;
  readonly costUsd: number;
}

export const NOTHING: Spending = { tokens: 0, costUsd: 0 };

export function sumOf(one: Spending, other: Spending): Spending {
  return { tokens: one.tokens + other.tokens, costUsd: one.costUsd + other.costUsd };
}

/** How many runs may be queued or running at once; null: any number. */
export interface RunsAtOnce {
  readonly ofKey: number | null;
  readonly ofTenant: number | null;
}

/** What is checked in the transaction that stores a new run. */
export interface Admission {
  readonly runsAtOnce: RunsAtOnce;
  readonly ofKey: Allowance;
  readonly ofTenant: Allowance;
  /** What nobody else may spend until the run ends: what it may spend itself. Null: its spending is not limited by the day. */
  readonly reserved: Spending | null;
}

export interface Quotas {
  /** What each tenant may spend in a day. */
  readonly ofTenant: Allowance;
  /**
   * Returns what is left today for a caller whose key allows this much, and whose tenant has a limit of its own. What open runs have reserved
   * is not left, unless `withReserved`.
   */
  left(caller: Caller, ofKey: Allowance, withReserved?: boolean): Promise<Allowance>;
  /** Deletes the sums of days that are long over. */
  clean(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** The day in UTC, such as `2026-11-30`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function nextDay(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS;
}

/** What is left of an allowance, at least nothing. */
export function rest(allowance: Allowance, spent: Spending): Allowance {
  const left = (most: number | null, used: number): number | null => (most === null ? null : Math.max(0, most - used));
  return { tokens: left(allowance.tokens, spent.tokens), costUsd: left(allowance.costUsd, spent.costUsd) };
}

export function lesser(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Less pays for no call that is worth making. */
const SMALLEST: Spending = { tokens: 2_000, costUsd: 0.001 };

/** Whether too little is left for a call. */
export function isExhausted({ tokens, costUsd }: Allowance): boolean {
  return (tokens !== null && tokens < SMALLEST.tokens) || (costUsd !== null && costUsd < SMALLEST.costUsd);
}

/** Leaves half of what is left to others, unless a run is likely to need more. */
export function shareOf({ tokens, costUsd }: Allowance, needed: Allowance): Allowance {
  const share = (left: number | null, need: number | null) => (left === null ? null : Math.min(left, Math.max(left / 2, need ?? left)));
  const whole = share(tokens, needed.tokens);
  return { tokens: whole === null ? null : Math.floor(whole), costUsd: share(costUsd, needed.costUsd) };
}

const HELD_SECONDS = 10;

/** Open runs may spend what is left, and give back what they do not need. */
export function budgetHeld(): DossierError {
  const message = `Your open runs may spend all that is left of today's budget. Nothing was stored; ask again when one of them has ended.`;
  return new DossierError("budget_exhausted", message, { retryAfterSeconds: HELD_SECONDS });
}

/** @throws DossierError `budget_exhausted` if too little is left for a call */
export function refuseExhausted(left: Allowance, at: number): void {
  if (!isExhausted(left)) return;
  const lacksTokens = left.tokens !== null && left.tokens < SMALLEST.tokens;
  const what = lacksTokens ? "The tokens" : "The money";
  const until = new Date(nextDay(at)).toISOString();
  const message = `${what} that this key or its tenant may spend today is used up. Nothing was stored; ask again after ${until}.`;
  throw new DossierError("budget_exhausted", message, { retryAfterSeconds: Math.ceil((nextDay(at) - at) / 1_000) });
}
