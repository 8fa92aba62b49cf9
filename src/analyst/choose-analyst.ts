import type { Analyst } from "../domain/ports/analyst.ts";

/** The analyst of a run: `model` where the run has models, otherwise `rules`; so a recorded run is replayed without any configuration. */
export function createAnalyst({ rules, model }: { readonly rules: Analyst; readonly model: Analyst }): Analyst {
  return {
    // Which of them it is, a view says by its models, so that what is memoised under this name is told apart.
    name: rules.name,
    decide: (view, effects) => (view.models === null ? rules : model).decide(view, effects),
    write: (view, effects) => (view.models === null ? rules : model).write(view, effects),
  };
}
