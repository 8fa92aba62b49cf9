import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphNode, RunContext, TaskPlace } from "../domain/ports/effects.ts";
import { DossierError } from "../errors.ts";

export type BoundNode<State, Update> = (state: State, config: LangGraphRunnableConfig) => Promise<Update>;

/** Adapts a node to LangGraph. The `context` of the LangGraph call must contain the run. */
export function bindNode<State, Update>(node: GraphNode<State, Update>): BoundNode<State, Update> {
  return (state, config) => runOf(config).task(taskPlaceOf(config), (effects) => node(state, effects));
}

/** @throws DossierError `internal` if LangGraph's context contains no run */
export function runOf(config: LangGraphRunnableConfig): RunContext {
  const context = config.context as { run?: RunContext } | undefined;
  if (context?.run !== undefined) return context.run;
  throw new DossierError("internal", "This graph was invoked outside a run. Invoke it with the run in `context.run`.");
}

export function taskPlaceOf(config: LangGraphRunnableConfig): TaskPlace {
  const metadata = config.metadata as { langgraph_node: string; langgraph_step: number; langgraph_path: (string | number | boolean)[] };
  return {
    node: metadata.langgraph_node,
    step: metadata.langgraph_step,
    // Some versions of LangGraph end the path of a `Send` with a flag.
    path: metadata.langgraph_path.filter((part) => typeof part !== "boolean"),
    attempt: config.executionInfo?.nodeAttempt ?? 1,
  };
}
