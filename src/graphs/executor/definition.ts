import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { DossierError } from "../../errors.ts";
import { REPORT_STEPS } from "../../nodes/llm-decision/loop-ending.ts";
import { drawGraph } from "../draw-graph.ts";
import type { GraphDefinition } from "../registry.ts";
import { buildExecutorGraph, type ExecutorDeps } from "./graph.ts";
import type { ExecutorStateValue } from "./state.ts";

const ABOUT = {
  name: "executor",
  description:
    "Calls the optional tools a question needs, searches, reranks, downloads and reads, and writes a report with verified quotes.",
};

/** The main graph, ready for the engine. @param fingerprintOf names the program together with a graph's drawing */
export async function defineExecutor(
  deps: ExecutorDeps,
  checkpointer: BaseCheckpointSaver,
  fingerprintOf: (drawing: string) => string,
): Promise<GraphDefinition> {
  const graph = buildExecutorGraph(deps, checkpointer);
  const picture = await drawGraph(graph, ABOUT);
  return {
    ...ABOUT,
    needsModel: false,
    roles: ["decision", "writer"],
    minSteps: REPORT_STEPS,
    // LangGraph types its input by the graph's channels; the engine hands over what `input` below made.
    graph: { invoke: (input, config) => graph.invoke(input as Parameters<typeof graph.invoke>[0], config) },
    picture,
    fingerprint: fingerprintOf(picture.mermaid),
    input: (task) => ({ task }),
    outcome(state) {
      const { report, termination } = state as ExecutorStateValue;
      if (termination === null) throw new DossierError("internal", "The executor ended without a termination.");
      return { termination, report };
    },
  };
}
