import { REPORT_STEPS } from "../../nodes/llm-decision/loop-ending.ts";
import { type Compiling, defineGraph } from "../define-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { buildExecutorGraph, type ExecutorDeps } from "./graph.ts";

const ABOUT = {
  name: "executor",
  description:
    "Calls the optional tools a question needs, searches, reranks, downloads and reads, and writes a report with verified quotes.",
  needsModel: false,
  roles: ["decision", "writer"],
  minSteps: REPORT_STEPS,
};

/** The main graph, ready for the engine. */
export function defineExecutor(deps: ExecutorDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  return defineGraph(ABOUT, buildExecutorGraph(deps, checkpointer), fingerprintOf);
}
