import type { GraphNode } from "../../domain/ports/node.ts";
import type { Ranker } from "../../domain/ports/ranker.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "../../graphs/executor/state.ts";

export interface RerankDeps {
  readonly ranker: Ranker;
}

/** How many hits are worth reading for one question. */
const KEEP = 12;

/** Cleans, scores and diversifies everything that was found; keeps the best. */
export function createRerankNode({ ranker }: RerankDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async ({ task, hits }) => ({ ranked: ranker({ question: task.question, language: task.language, keep: KEEP }, hits) });
}
