import type { GraphNode } from "../../domain/ports/effects.ts";
import { gatheringMsLeft } from "../../gathering/limits.ts";
import type { PerformableCall } from "../../gathering/plan-calls.ts";
import { askForConsent } from "../shared/ask-user.ts";
import { ledgerEntryOf, outcomeOf, performCall } from "../shared/make-calls.ts";
import { callsToConfirm, makeRound, type RequestedCalls, type RoundDeps } from "../shared/tool-round.ts";
import { callableNames, type ToolDeps } from "../shared/tool-servers.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export function createOptionalToolNode(deps: RoundDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { task } = state;
    const limitMs = Math.max(1, Math.min(deps.roundTimeoutMs, gatheringMsLeft(state, effects)));
    const context = { task, documents: deps.documents, effects };
    const perform = (plan: PerformableCall) => performCall(plan, limitMs, context);
    const { finished, hits, known } = await makeRound(callsOfAnalyst(state), state, deps, perform, effects);
    const ids = new Set(state.hits.map(({ id }) => id));
    const round = state.round + 1;
    const outcomes = finished.map((one) => outcomeOf(one, round, ids));
    return { round, calls: [], verdicts: [], outcomes, hits, ledger: finished.map((one) => ledgerEntryOf(one, known)) };
  };
}

export function createConfirmNode(deps: ToolDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state) => ({ verdicts: callsToConfirm(callsOfAnalyst(state), state, deps).map((call) => askForConsent(call, state.task)) });
}

export function callsOfAnalyst({ task, calls, offered }: ExecutorStateValue): RequestedCalls {
  return { calls, names: callableNames(task.tools, offered) };
}
