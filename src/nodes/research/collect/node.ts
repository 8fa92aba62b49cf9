import type { GraphNode } from "../../../domain/ports/node.ts";
import type { ResearchStateValue, ResearchUpdate } from "../../../graphs/research/state.ts";

/** Where the branches of the todos come together: only here the state has what all of them have found. */
export function createCollectNode(): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async () => ({ steps: 1 });
}
