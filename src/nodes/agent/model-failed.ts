import type { Effects } from "../../domain/ports/effects.ts";
import type { DossierError } from "../../errors.ts";
import type { AgentUpdate } from "../../graphs/agent/state.ts";

/** What another analyst may help with; anything else is the deployment's, the run's or the program's fault. */
const RECOVERABLE: readonly string[] = ["model_unavailable", "model_output", "context_too_large", "timeout"];

/**
 * What a run keeps of a model that could not be had: rules go on with what was found.
 * @throws DossierError `error` itself, where no other way leads to an answer either
 */
export function modelFailed(error: DossierError, node: string, model: string, effects: Effects): AgentUpdate {
  const { code, message } = error;
  if (!RECOVERABLE.includes(code)) throw error;
  effects.emit({ type: "model-failed", node, model, failure: code, message, fallback: "rules" });
  return {
    failure: { code, message },
    ledger: [{ what: "model", source: model, target: node, outcome: "failed", results: 0, failure: code, detail: message, ms: 0 }],
  };
}
