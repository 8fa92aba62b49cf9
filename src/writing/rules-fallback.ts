import { refusedBudget } from "../domain/budget.ts";
import { type FallbackTarget, modelFailureEntry, rulesMayReplace } from "../domain/failures.ts";
import type { Todo } from "../domain/plan.ts";
import type { Analyst, Findings, ModelView, RulesFallback } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../domain/ports/models.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { type Models, modelOf } from "../domain/request.ts";
import type { ModelRole } from "../domain/roles.ts";
import { type DossierError, toDossierError } from "../errors.ts";

export interface ModelDeps {
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
}

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

/** The fields of a view that show whether the run has found something. */
interface Found {
  readonly best?: readonly unknown[];
  readonly readings?: readonly unknown[];
  readonly findings?: Pick<Findings, "claims">;
  readonly executed?: readonly { readonly findings: Pick<Findings, "claims"> }[];
  readonly todos?: readonly Pick<Todo, "rounds">[];
}

function hasFindings({ best = [], readings = [], findings, executed = [], todos = [] }: Found): boolean {
  const claims = [findings, ...executed.map((one) => one.findings)].flatMap((one) => one?.claims ?? []);
  return best.length + readings.length + claims.length > 0 || todos.some(({ rounds }) => rounds > 0);
}

/** Returns an error after which rules may replace the model. @throws any other error, and the reason if the run was stopped */
export function requireReplaceable(thrown: unknown, view: Found, effects: Effects): DossierError {
  effects.signal.throwIfAborted();
  const error = toDossierError(thrown);
  if (!rulesMayReplace(error.code, hasFindings(view))) throw error;
  return error;
}

export function reportModelFailure(failed: ModelFailure, effects: Effects): LedgerEntry {
  const { error, models, role, node } = failed;
  const model = modelOf(models, role) || "model";
  effects.emit({ type: "model-failed", node, model, failure: error.code, message: error.message, fallback: "rules" });
  return failureEntry(failed, effects);
}

/** Returns the ledger entry for a failed model. A spent budget gets no `model-failed` event: the end of the run reports it. */
function failureEntry({ error, models, role, node, since }: ModelFailure, effects: Effects): LedgerEntry {
  const target = TARGETS[node] ?? "report";
  return modelFailureEntry({ model: modelOf(models, role), target, error, ms: effects.elapsedMs(since) });
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
 * Lets the model of a run do the work. Rules do it if the run has no model, it fails, or the budget refuses the call.
 * @throws DossierError other errors, such as `model_refused` before anything is found
 */
export function modelOrRules<View extends ModelView & Found, Result extends RulesFallback, Deps>(
  { model: role, stage: node }: { readonly model: ModelRole; readonly stage: string },
  byModel: ByModel<View, Result, Deps>,
  byRules: ByRules<View, Result>,
  deps: Deps,
): ByRules<View, Result> {
  const tryModel = async (view: View, models: Models, effects: Effects): Promise<Result> => {
    const since = effects.now();
    try {
      return await byModel(view, models, deps, effects);
    } catch (thrown) {
      effects.signal.throwIfAborted();
      const error = toDossierError(thrown);
      const spent = refusedBudget(error);
      if (spent === null) requireReplaceable(error, view, effects);
      const failed = { error, models, role, node, since };
      const entry = spent === null ? reportModelFailure(failed, effects) : failureEntry(failed, effects);
      const done = await byRules(view, effects);
      return { ...done, ledger: [...(done.ledger ?? []), entry], spent };
    }
  };
  return (view, effects) => (view.models === null ? byRules(view, effects) : tryModel(view, view.models, effects));
}
