import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphNode } from "../domain/ports/node.ts";
import type { RunContext } from "../domain/ports/run-context.ts";
import { DossierError } from "../errors.ts";

/** Makes a node what LangGraph calls: its effects come from the run that LangGraph's `context` carries. */
export function bindNode<State, Update>(
  node: GraphNode<State, Update>,
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  return (state, config) => {
    const metadata = config.metadata as { langgraph_node: string; langgraph_step: number; langgraph_path: (string | number)[] };
    const place = {
      node: metadata.langgraph_node,
      step: metadata.langgraph_step,
      path: metadata.langgraph_path,
      attempt: config.executionInfo?.nodeAttempt ?? 1,
    };
    return runOf(config).task(place, (effects) => node(state, effects));
  };
}

function runOf(config: LangGraphRunnableConfig): RunContext {
  const context = config.context as { run?: RunContext } | undefined;
  if (context?.run !== undefined) return context.run;
  throw new DossierError("internal", "A graph of Dossier runs only inside a run, which LangGraph's context must carry.");
}
