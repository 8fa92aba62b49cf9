import type { GraphNode } from "../../domain/ports/node.ts";
import type { Ranker } from "../../domain/ports/ranker.ts";
import type { SemanticRanker } from "../../domain/ports/semantic-ranker.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "../../graphs/executor/state.ts";
import { fuseSemantic, SEMANTIC_DEPTH } from "../../ranking/fuse-semantic.ts";
import { readingMsLeft } from "../time-budget.ts";
import { judgeByMeaning } from "./judge-by-meaning.ts";

export interface RerankDeps {
  readonly ranker: Ranker;
  /** What ranks by meaning; null where nothing is configured. A replay needs none. */
  readonly semantic: SemanticRanker | null;
}

/** How many hits are worth reading for one question. */
const KEEP = 12;
/** Reading has to wait for it, so that it must not take long. */
const SEMANTIC_TIMEOUT_MS = 10_000;

/**
 * Cleans, scores and diversifies everything that was found; keeps the best. Where the run was told of a ranking by meaning, the best by
 * words are judged by it too, and both orders are fused; where it fails the order of the words stands as it is without one.
 */
export function createRerankNode({ ranker, semantic }: RerankDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { question, language, semantic: name } = state.task;
    const byWords = (keep: number) => ranker({ question, language, keep }, state.hits);
    if (name === undefined) return { ranked: byWords(KEEP) };
    const best = byWords(SEMANTIC_DEPTH);
    if (best.length < 2) return { ranked: best };
    const timeoutMs = Math.min(SEMANTIC_TIMEOUT_MS, readingMsLeft(state, effects));
    const { scores, entry } = await judgeByMeaning(best, { name, semantic, question, timeoutMs, effects });
    return { ranked: scores === null ? byWords(KEEP) : fuseSemantic(best, scores, KEEP), ledger: [entry] };
  };
}
