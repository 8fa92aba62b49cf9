import { isReplaceable, type MissedTarget, modelEntry } from "../../domain/failures.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import type { ModelRole } from "../../domain/roles.ts";
import { type DossierError, toDossierError } from "../../errors.ts";

export interface Failed {
  readonly error: DossierError;
  readonly models: Models;
  readonly role: ModelRole;
  readonly node: string;
  /** The run's clock when the model was asked. */
  readonly since: number;
}

/** The error where rules may do it instead; @throws anything else, and the reason of a run that has been stopped */
export function replaceable(thrown: unknown, effects: Effects): DossierError {
  effects.signal.throwIfAborted();
  const error = toDossierError(thrown);
  if (!isReplaceable(error.code)) throw error;
  return error;
}

/** Tells readers that rules go on, and gives the line for the ledger. */
export function tellFailure(failed: Failed, effects: Effects): LedgerEntry {
  const { error, models, role, node } = failed;
  const model = modelOf(models, role) || "model";
  effects.emit({ type: "model-failed", node, model, failure: error.code, message: error.message, fallback: "rules" });
  return missedBudget(failed, effects);
}

/** The line for the ledger alone: of what could not be paid, the run's end tells. */
export function missedBudget({ error: { code, message }, models, role, node, since }: Failed, effects: Effects): LedgerEntry {
  const target = TARGETS[node] ?? "report";
  return modelEntry({ model: modelOf(models, role), target, code, message, ms: effects.elapsedMs(since) });
}

/** What a model is asked for where it speaks, whatever its role is called, where that is not a report. */
const TARGETS: Readonly<Record<string, MissedTarget>> = {
  llm_decision: "decision",
  plan: "plan",
  assess: "assessment",
  verify: "verdict",
};
