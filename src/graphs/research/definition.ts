import { type Compiling, defineGraph } from "../define-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { buildResearchGraph, type ResearchDeps } from "./graph.ts";

/** Its own, and those of the graphs that work on its todos. */
const ROLES_PLAYED = ["planner", "executor", "verifier", "summary", "decision", "writer", "agent"];

const ABOUT = {
  name: "research",
  description:
    "Plans todos, executes them side by side, verifies what they found, plans again what failed, and sums up with one list of quotes. Without a model the question is one todo, and the report is what was quoted for it.",
  needsModel: false,
  plans: true,
  /** The steps of one plan with its approval, and those that a todo's own graphs need. */
  minSteps: 9,
};

/** The planner, its executors and its verifier, ready for the engine. */
export function defineResearch(deps: ResearchDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  const roles = [...new Set([...ROLES_PLAYED, ...(deps.roles ?? [])])];
  return defineGraph({ ...ABOUT, roles }, buildResearchGraph(deps, checkpointer), fingerprintOf);
}
