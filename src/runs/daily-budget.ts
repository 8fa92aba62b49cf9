import type { Estimate, EstimateTerms } from "../domain/estimate.ts";
import type { Caller } from "../domain/owners.ts";
import type { ThreadMaterial } from "../domain/ports/material.ts";
import {
  type Admission,
  type Allowance,
  budgetHeld,
  isExhausted,
  type Quotas,
  refuseExhausted,
  shareOf,
  UNLIMITED,
} from "../domain/quota.ts";
import type { ResearchRequest } from "../domain/request.ts";
import type { Task } from "../domain/task.ts";
import { toDossierError } from "../errors.ts";
import type { GraphRegistry } from "../graphs/registry.ts";
import { type Policy, withinAllowance } from "./policy.ts";
import { resolveTask } from "./resolve-task.ts";

interface Resolving {
  readonly policy: Policy;
  readonly graphs: GraphRegistry;
}

interface Spenders {
  readonly quotas: Quotas;
  readonly clock: () => number;
}

/** Returns what a caller may still spend today. A run without a model is free. @throws DossierError `budget_exhausted` */
export async function leftToday({ quotas, clock }: Spenders, caller: Caller, allowance: Allowance, isFree: boolean): Promise<Allowance> {
  if (isFree) return UNLIMITED;
  const left = await quotas.left(caller, allowance);
  if (isExhausted(left)) refuseExhausted(await quotas.left(caller, allowance, true), clock());
  if (isExhausted(left)) throw budgetHeld();
  return left;
}

/** Resolves a request whose run may spend what is left. */
export function resolveWithin(
  { policy, graphs }: Resolving,
  request: ResearchRequest,
  left: Allowance,
  at: number,
  material?: ThreadMaterial,
): Task {
  const within = withinAllowance(request, policy, left);
  return resolveTask(within.request, within.policy, graphs, at, material);
}

/** Resolves a request for a run that leaves others their share of the day, as far as an estimate allows. */
export function resolveShare(
  deps: Resolving & { readonly estimate: (terms: EstimateTerms) => Estimate },
  request: ResearchRequest,
  left: Allowance,
  at: number,
  material: ThreadMaterial,
): Task {
  const whole = resolveWithin(deps, request, left, at, material);
  if (left.tokens === null && left.costUsd === null) return whole;
  const { tokens, costUsd } = deps.estimate({ task: whole, graph: request.graph, caps: deps.policy.limits, inThread: true });
  const share = shareOf(left, { tokens: tokens.to, costUsd: costUsd?.to ?? null });
  return resolveWithin(deps, request, share, at, material);
}

/** Null if the day limits nothing. */
export function reservationOf(left: Allowance, { tokens, costUsd }: Pick<Task["limits"], "tokens" | "costUsd">): Admission["reserved"] {
  if (left.tokens === null && left.costUsd === null) return null;
  return { tokens: Math.min(tokens, left.tokens ?? tokens), costUsd: Math.min(costUsd ?? 0, left.costUsd ?? costUsd ?? 0) };
}

/** How often a run is resolved anew because others reserved what was left for it. */
const MAX_OVERTAKEN = 100;

/** Tries again with what is left then. @throws DossierError `budget_exhausted` */
export async function withinBudget<T>(
  first: Allowance,
  attempt: (left: Allowance) => Promise<T>,
  again: () => Promise<Allowance>,
): Promise<T> {
  for (let [left, tries] = [first, 1]; ; left = await again(), tries += 1) {
    try {
      return await attempt(left);
    } catch (error) {
      if (toDossierError(error).code !== "budget_exhausted" || tries >= MAX_OVERTAKEN) throw error;
    }
  }
}
