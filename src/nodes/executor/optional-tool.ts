import type { GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { scopeOf } from "../../domain/request.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import { hitsOf, ledgerEntryOf, makeCalls, outcomeOf } from "../shared/make-calls.ts";
import { type CallResult, performCall } from "../shared/perform-call.ts";
import { applyVerdicts, type PerformableCall, planCalls } from "../shared/plan-calls.ts";
import { emitFound, knownAddresses } from "../shared/sources.ts";
import { recallCalls, threadView } from "../shared/thread-results.ts";
import { callableNames, type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface OptionalToolDeps extends ToolDeps {
  readonly documents: DocumentStore;
  /** Milliseconds that all calls of one round may take together; they run in parallel. */
  readonly roundTimeoutMs: number;
}

/** Makes the calls of one round in parallel. A failing tool never fails the run. */
export function createOptionalToolNode(deps: OptionalToolDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const round = state.round + 1;
    const { metadata, tools } = state.task;
    const { offered, verdicts } = state;
    const toolbox = toolboxWith(deps, offered);
    const all = planCalls(state.calls, callableNames(tools, offered), toolbox, state.outcomes);
    const view = threadView(state, { tools: toolbox, offered: callableNames(tools, offered) }, effects);
    const planned = await recallCalls(applyVerdicts(all, verdicts), view, deps.documents, effects);
    const timeoutMs = Math.max(1, Math.min(deps.roundTimeoutMs, gatheringMsLeft(state, effects)));
    const context = { runId: effects.runId, metadata, scope: scopeOf(state.task), documents: deps.documents };
    const perform = ({ call, tool, input }: PerformableCall): Promise<CallResult> =>
      performCall({ call, tool, input, timeoutMs: Math.min(tool.timeoutMs, timeoutMs), ...context }, effects);
    const known = knownAddresses(state);
    const finished = await makeCalls(planned, perform, effects, known);
    const hits = finished.flatMap(hitsOf);
    const ids = new Set(state.hits.map((hit) => hit.id));
    const outcomes = finished.map((entry) => outcomeOf(entry, round, ids));
    const totalResults = emitFound(state.hits, hits, effects);
    effects.emit({ type: "round-ended", round, results: hits.length, totalResults });
    return { round, calls: [], verdicts: [], outcomes, hits, ledger: finished.map((one) => ledgerEntryOf(one, known)) };
  };
}
