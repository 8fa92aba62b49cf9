import { refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import { type FallbackTarget, modelFailureEntry, rulesMayReplace } from "../../domain/failures.ts";
import type { Analyst } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../../domain/ports/models.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import type { ModelRole } from "../../domain/roles.ts";
import { type DossierError, toDossierError } from "../../errors.ts";

export interface ModelAnalystDeps {
  readonly model: ChatModel;
  /** Decides and writes if the model fails. */
  readonly rules: Analyst;
  readonly prompts: RenderPrompt;
}

interface Failed {
  readonly error: DossierError;
  readonly models: Models;
  readonly role: ModelRole;
  readonly node: string;
  /** The run's clock when the model was asked. */
  readonly since: number;
}

/**
 * The error, if rules may take over.
 * @throws every other error, and the reason of a stopped run
 */
export function replaceable(thrown: unknown, effects: Effects): DossierError {
  effects.signal.throwIfAborted();
  const error = toDossierError(thrown);
  if (!rulesMayReplace(error.code)) throw error;
  return error;
}

/** Emits that the rules take over; returns the line for the ledger. */
export function reportModelFailure(failed: Failed, effects: Effects): LedgerEntry {
  const { error, models, role, node } = failed;
  const model = modelOf(models, role) || "model";
  effects.emit({ type: "model-failed", node, model, failure: error.code, message: error.message, fallback: "rules" });
  return missedEntry(failed, effects);
}

/** Only the line for the ledger; the end of the run reports the budget. */
function missedEntry({ error: { code, message }, models, role, node, since }: Failed, effects: Effects): LedgerEntry {
  const target = TARGETS[node] ?? "report";
  return modelFailureEntry({ model: modelOf(models, role), target, code, message, ms: effects.elapsedMs(since) });
}

/** The task of each node, as the ledger names it; all others write the report. */
const TARGETS: Readonly<Record<string, FallbackTarget>> = {
  llm_decision: "decision",
  plan: "plan",
  assess: "assessment",
  verify: "verdict",
};

interface Done {
  readonly ledger?: readonly LedgerEntry[];
  readonly spent?: SpentBudget | null;
}

interface Standing<T> extends Omit<Failed, "error" | "since"> {
  readonly byModel: () => Promise<T>;
  readonly byRules: () => Promise<T>;
}

/**
 * The model's result, or that of the rules if the model fails or the budget refuses it, with a line for the ledger.
 * @throws DossierError any other, such as `model_refused`
 */
export async function withRulesFallback<T extends Done>({ byModel, byRules, ...asked }: Standing<T>, effects: Effects): Promise<T> {
  const since = effects.now();
  try {
    return await byModel();
  } catch (thrown) {
    effects.signal.throwIfAborted();
    const error = toDossierError(thrown);
    const spent = refusedBudget(error);
    const failed = { ...asked, since };
    const entry =
      spent === null
        ? reportModelFailure({ ...failed, error: replaceable(thrown, effects) }, effects)
        : missedEntry({ ...failed, error }, effects);
    const done = await byRules();
    return { ...done, ledger: [...(done.ledger ?? []), entry], spent };
  }
}
