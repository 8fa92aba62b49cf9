import { MIN_STEPS } from "../../nodes/agent/decide/decide-state.ts";
import { type Compiling, defineGraph } from "../define-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { type AgentDeps, buildAgentGraph } from "./graph.ts";

const ABOUT = {
  name: "agent",
  description:
    "A model that answers directly or calls tools in a loop, searches and reads, asks its user where it must, and cites what it found.",
  needsModel: true,
  roles: ["agent"],
  minSteps: MIN_STEPS,
};

/** The agent, ready for the engine. */
export function defineAgent(deps: AgentDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  return defineGraph(ABOUT, buildAgentGraph(deps, checkpointer), fingerprintOf);
}
