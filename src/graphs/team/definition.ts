import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { DossierError } from "../../errors.ts";
import { drawGraph } from "../draw-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { buildTeamGraph, type TeamDeps } from "./graph.ts";
import type { TeamStateValue } from "./state.ts";

const ABOUT = {
  name: "team",
  description:
    "Several agents with prompts and tools of their own work on one question, and a supervisor writes the answer from their results.",
};

/** Eight children one after another, a step before each and after the last one, and the answer. */
const MIN_STEPS = 18;

/** The team, ready for the engine. @param fingerprintOf names the program together with a graph's drawing */
export async function defineTeam(
  deps: TeamDeps,
  checkpointer: BaseCheckpointSaver,
  fingerprintOf: (drawing: string) => string,
): Promise<GraphDefinition> {
  const graph = buildTeamGraph(deps, checkpointer);
  const picture = await drawGraph(graph, ABOUT);
  return {
    ...ABOUT,
    needsModel: true,
    roles: ["agent", "child", "supervisor"],
    minSteps: MIN_STEPS,
    // LangGraph types its input by the graph's channels; the engine hands over what `input` below made.
    graph: { invoke: (input, config) => graph.invoke(input as Parameters<typeof graph.invoke>[0], config) },
    picture,
    fingerprint: fingerprintOf(picture.mermaid),
    input: (task) => ({ task }),
    outcome(state) {
      const { report, termination } = state as TeamStateValue;
      if (termination === null) throw new DossierError("internal", "The team ended without a termination.");
      return { termination, report };
    },
  };
}
