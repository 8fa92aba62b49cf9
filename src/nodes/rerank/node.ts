import type { GraphNode } from "../../domain/ports/node.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "../executor/state.ts";
import { readingMsLeft } from "../time-budget.ts";
import { type RankDeps, rankFound } from "./rank-found.ts";

export type RerankDeps = RankDeps;

/** How many hits are worth reading for one question. */
const KEEP = 12;

/** Ranks everything that was found by the question; see `rankFound`. */
export function createRerankNode(deps: RerankDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { task } = state;
    const { question, language } = task;
    const timeoutMs = readingMsLeft(state, effects);
    const { ranked, entries } = await rankFound(state.hits, deps, { task, question, language, keep: KEEP, timeoutMs, effects });
    return entries.length === 0 ? { ranked } : { ranked, ledger: entries };
  };
}
