import { refusedBudget } from "../domain/budget.ts";
import { type FallbackTarget, modelFailureEntry, rulesMayReplace } from "../domain/failures.ts";
import type { Analyst, ModelView, RulesFallback } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { type Models, modelOf } from "../domain/request.ts";
import type { ModelRole } from "../domain/roles.ts";
import { type DossierError, toDossierError } from "../errors.ts";
import type { ModelDeps } from "./call-model.ts";

export interface ModelAnalystDeps extends ModelDeps {
  readonly rules: Analyst;
}

interface ModelFailure {
  readonly error: DossierError;
  readonly models: Models;
  readonly role: ModelRole;
  readonly node: string;
  readonly since: number;
}

/** Returns an error after which rules may replace the model. @throws any other error, and the reason if the run was stopped */
export function requireReplaceable(thrown: unknown, hasFindings: boolean, effects: Effects): DossierError {
  effects.signal.throwIfAborted();
  const error = toDossierError(thrown);
  if (!rulesMayReplace(error.code, hasFindings)) throw error;
  return error;
}

/** Returns the ledger entry for a failed model. A spent budget gets no `model-failed` event: the end of the run reports it. */
export function reportModelFailure({ error, models, role, node, since }: ModelFailure, effects: Effects): LedgerEntry {
  const model = modelOf(models, role);
  const failed = { node, model: model || "model", failure: error.code, message: error.message, fallback: "rules" } as const;
  if (refusedBudget(error) === null) effects.emit({ type: "model-failed", ...failed });
  return modelFailureEntry({ model, target: TARGETS[node] ?? "report", error, ms: effects.elapsedMs(since) });
}

const TARGETS: Readonly<Record<string, FallbackTarget>> = {
  llm_decision: "decision",
  search: "queries",
  plan: "plan",
  assess: "assessment",
  verify: "verdict",
};

type ByRules<View, Result> = (view: View, effects: Effects) => Promise<Result>;
export type ByModel<View, Result, Deps> = (view: View, models: Models, deps: Deps, effects: Effects) => Promise<Result>;

/**
 * Lets the model of a run do the work. Rules do it if the run has no model, it fails, or the budget refuses the call. `hasFindings` tells whether
 * the run has found something, so that a refusal of the model does not end it.
 * @throws DossierError other errors, such as `model_refused` before anything is found
 */
export function modelOrRules<View extends ModelView, Result extends RulesFallback, Deps>(
  { model: role, stage: node }: { readonly model: ModelRole; readonly stage: string },
  byModel: ByModel<View, Result, Deps>,
  byRules: ByRules<View, Result>,
  deps: Deps,
  hasFindings: (view: View) => boolean = () => true,
): ByRules<View, Result> {
  const tryModel = async (view: View, models: Models, effects: Effects): Promise<Result> => {
    const since = effects.now();
    try {
      return await byModel(view, models, deps, effects);
    } catch (thrown) {
      effects.signal.throwIfAborted();
      const error = toDossierError(thrown);
      const spent = refusedBudget(error);
      if (spent === null) requireReplaceable(error, hasFindings(view), effects);
      const entry = reportModelFailure({ error, models, role, node, since }, effects);
      const done = await byRules(view, effects);
      return { ...done, ledger: [...(done.ledger ?? []), entry], spent };
    }
  };
  return (view, effects) => (view.models === null ? byRules(view, effects) : tryModel(view, view.models, effects));
}
