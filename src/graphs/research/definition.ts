import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { DossierError } from "../../errors.ts";
import { drawGraph } from "../draw-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { buildResearchGraph, type ResearchDeps } from "./graph.ts";
import type { ResearchStateValue } from "./state.ts";

const ABOUT = {
  name: "research",
  description:
    "Plans todos, executes them side by side, verifies what they found, plans again what failed, and sums up with one list of quotes.",
};

/** The steps of one plan with its approval, and those that a todo's own graphs need. */
const MIN_STEPS = 9;
/** Its own, and those of the graphs that work on its todos. */
const ROLES_PLAYED = ["planner", "executor", "verifier", "summary", "decision", "writer", "agent"];

/** The planner, its executors and its verifier, ready for the engine. @param fingerprintOf names the program together with a graph's drawing */
export async function defineResearch(
  deps: ResearchDeps,
  checkpointer: BaseCheckpointSaver,
  fingerprintOf: (drawing: string) => string,
): Promise<GraphDefinition> {
  const graph = buildResearchGraph(deps, checkpointer);
  const picture = await drawGraph(graph, ABOUT);
  return {
    ...ABOUT,
    needsModel: false,
    plans: true,
    roles: [...new Set([...ROLES_PLAYED, ...(deps.roles ?? [])])],
    minSteps: MIN_STEPS,
    // LangGraph types its input by the graph's channels; the engine hands over what `input` below made.
    graph: { invoke: (input, config) => graph.invoke(input as Parameters<typeof graph.invoke>[0], config) },
    picture,
    fingerprint: fingerprintOf(picture.mermaid),
    input: (task) => ({ task }),
    outcome(state) {
      const { report, termination } = state as ResearchStateValue;
      if (termination === null) throw new DossierError("internal", "The research ended without a termination.");
      return { termination, report };
    },
  };
}
