import type { Analyst } from "../../domain/ports/analyst.ts";
import { decideByModel, type ModelAnalystDeps } from "./decide.ts";
import { writeByModel } from "./write.ts";

/**
 * An analyst that asks a model, and its rules where the run has none or it cannot be had; so a recorded run is replayed the same way
 * without any configuration.
 */
export function createModelAnalyst(deps: ModelAnalystDeps): Analyst {
  return {
    // Who decides and writes, a view says by its models.
    name: "model-or-rules",
    decide: (view, effects) => (view.models === null ? deps.rules.decide(view, effects) : decideByModel(view, view.models, deps, effects)),
    write: (view, effects) => (view.models === null ? deps.rules.write(view, effects) : writeByModel(view, view.models, deps, effects)),
  };
}
