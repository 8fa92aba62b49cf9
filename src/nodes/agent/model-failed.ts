import { isReplaceable, modelEntry } from "../../domain/model-failure.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DossierError } from "../../errors.ts";
import type { AgentUpdate } from "./state.ts";

interface Asked {
  readonly node: string;
  readonly model: string;
  /** The run's clock when the model was asked. */
  readonly since: number;
  /** Whether rules can write without it; where they cannot, the run fails with the error. */
  readonly replaceable: boolean;
  /** Whether the agent is a part of a run, which may do without it whatever its model says. */
  readonly isPart: boolean;
}

/**
 * What a run keeps of a model that could not be had: rules go on with what was found.
 * @throws DossierError `error` itself, where no other way leads to an answer either
 */
export function modelFailed(error: DossierError, { node, model, since, replaceable, isPart }: Asked, effects: Effects): AgentUpdate {
  const { code, message } = error;
  if (!isReplaceable(code) && !(isPart && code === "model_refused")) throw error;
  const fallback = replaceable ? "rules" : null;
  effects.emit({ type: "model-failed", node, model: model || "model", failure: code, message, fallback });
  return {
    failure: { code, message },
    ledger: [modelEntry({ model, target: "report", code, message, ms: effects.elapsedMs(since) })],
  };
}
