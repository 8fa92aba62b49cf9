import type { Analyst } from "../../domain/ports/analyst.ts";
import { decideByModel, type ModelAnalystDeps } from "./decide.ts";
import { writeByModel } from "./write.ts";

/**
 * Asks a model, and the rules if the run has none or the model fails. One analyst for both, so that a recorded run replays without any
 * configuration.
 */
export function createModelAnalyst(deps: ModelAnalystDeps): Analyst {
  return {
    name: "model-or-rules",
    decide: (view, effects) => (view.models === null ? deps.rules.decide(view, effects) : decideByModel(view, view.models, deps, effects)),
    write: (view, effects) => (view.models === null ? deps.rules.write(view, effects) : writeByModel(view, view.models, deps, effects)),
  };
}
