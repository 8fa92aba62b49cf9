import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { DossierError } from "../../errors.ts";
import { MIN_STEPS } from "../../nodes/agent/decide/decide-state.ts";
import { drawGraph } from "../draw-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { type AgentDeps, buildAgentGraph } from "./graph.ts";
import type { AgentStateValue } from "./state.ts";

const ABOUT = {
  name: "agent",
  description:
    "A model that answers directly or calls tools in a loop, searches and reads, asks its user where it must, and cites what it found.",
};

/** The agent, ready for the engine. @param fingerprintOf names the program together with a graph's drawing */
export async function defineAgent(
  deps: AgentDeps,
  checkpointer: BaseCheckpointSaver,
  fingerprintOf: (drawing: string) => string,
): Promise<GraphDefinition> {
  const graph = buildAgentGraph(deps, checkpointer);
  const picture = await drawGraph(graph, ABOUT);
  return {
    ...ABOUT,
    needsModel: true,
    roles: ["agent"],
    minSteps: MIN_STEPS,
    // LangGraph types its input by the graph's channels; the engine hands over what `input` below made.
    graph: { invoke: (input, config) => graph.invoke(input as Parameters<typeof graph.invoke>[0], config) },
    picture,
    fingerprint: fingerprintOf(picture.mermaid),
    input: (task) => ({ task }),
    outcome(state) {
      const { report, termination } = state as AgentStateValue;
      if (termination === null) throw new DossierError("internal", "The agent ended without a termination.");
      return { termination, report };
    },
  };
}
