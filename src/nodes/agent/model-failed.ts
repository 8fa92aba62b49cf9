import type { Effects } from "../../domain/ports/effects.ts";
import type { DossierError } from "../../errors.ts";
import type { AgentUpdate } from "../../graphs/agent/state.ts";

/** What a run keeps of a model that could not be had: rules go on with what was found. */
export function modelFailed({ code, message }: DossierError, node: string, model: string, effects: Effects): AgentUpdate {
  effects.emit({ type: "model-failed", node, model, failure: code, message, fallback: "rules" });
  return {
    failure: { code, message },
    ledger: [{ what: "model", source: model, target: node, outcome: "failed", results: 0, failure: code, detail: message, ms: 0 }],
  };
}
