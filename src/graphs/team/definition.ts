import { type Compiling, defineGraph } from "../define-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { buildTeamGraph, type TeamDeps } from "./graph.ts";

const ABOUT = {
  name: "team",
  description:
    "Several agents with prompts and tools of their own work on one question, and a supervisor writes the answer from their results.",
  needsModel: true,
  roles: ["agent", "child", "supervisor"],
  /** Eight children one after another, a step before each and after the last one, and the answer. */
  minSteps: 18,
};

/** The team, ready for the engine. */
export function defineTeam(deps: TeamDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  return defineGraph(ABOUT, buildTeamGraph(deps, checkpointer), fingerprintOf);
}
