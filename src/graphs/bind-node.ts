import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphNode } from "../domain/ports/node.ts";
import type { RunContext, TaskPlace } from "../domain/ports/run-context.ts";
import { DossierError } from "../errors.ts";

/** Makes a node what LangGraph calls: its effects come from the run that LangGraph's `context` carries. */
export function bindNode<State, Update>(
  node: GraphNode<State, Update>,
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  return (state, config) => runOf(config).task(placeOf(config), (effects) => node(state, effects));
}

/** The run whose task LangGraph is about to call. @throws DossierError `internal` outside a run */
export function runOf(config: LangGraphRunnableConfig): RunContext {
  const context = config.context as { run?: RunContext } | undefined;
  if (context?.run !== undefined) return context.run;
  throw new DossierError("internal", "A graph of Dossier runs only inside a run, which LangGraph's context must carry.");
}

/** Where LangGraph calls a task. */
export function placeOf(config: LangGraphRunnableConfig): TaskPlace {
  const metadata = config.metadata as { langgraph_node: string; langgraph_step: number; langgraph_path: (string | number)[] };
  return {
    node: metadata.langgraph_node,
    step: metadata.langgraph_step,
    path: metadata.langgraph_path,
    attempt: config.executionInfo?.nodeAttempt ?? 1,
  };
}
