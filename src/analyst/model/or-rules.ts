import { refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { toDossierError } from "../../errors.ts";
import { type Failed, missedBudget, replaceable, tellFailure } from "./failure.ts";

/** What tells that rules did it in a model's place. */
interface Done {
  readonly ledger?: readonly LedgerEntry[];
  readonly spent?: SpentBudget | null;
}

interface Standing<T> extends Omit<Failed, "error" | "since"> {
  readonly byModel: () => Promise<T>;
  readonly byRules: () => Promise<T>;
}

/**
 * What the model brings, or the rules where it cannot be had or paid, with a row for the ledger and the budget that was refused.
 * @throws DossierError what is neither, such as `model_refused`
 */
export async function orRules<T extends Done>({ byModel, byRules, ...asked }: Standing<T>, effects: Effects): Promise<T> {
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
        ? tellFailure({ ...failed, error: replaceable(thrown, effects) }, effects)
        : missedBudget({ ...failed, error }, effects);
    const done = await byRules();
    return { ...done, ledger: [...(done.ledger ?? []), entry], spent };
  }
}
