import type { GraphNode } from "../../../domain/ports/node.ts";
import type { ResearchStateValue, ResearchUpdate } from "../state.ts";

/** Where the branches of the todos come together: only here the state has what all of them have found. */
export function createCollectNode(): GraphNode<ResearchStateValue, ResearchUpdate> {
  // The step of the todos before it is one of the run's as well.
  return async () => ({ steps: 2 });
}
