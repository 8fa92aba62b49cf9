import type { GraphNode } from "../../domain/ports/effects.ts";
import { askForConsent, planCalls, unconfirmedCalls } from "../shared/plan-calls.ts";
import { callableNames, type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

/**
 * Asks the user about each call of the round that needs consent, one after another, and makes none of them. After an answer LangGraph runs
 * the node again from its start.
 */
export function createConfirmNode(deps: ToolDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state) => ({ verdicts: callsToConfirm(state, deps).map(({ call }) => askForConsent(call, state.task)) });
}

export function callsToConfirm(state: ExecutorStateValue, deps: ToolDeps): ReturnType<typeof unconfirmedCalls> {
  const { task, calls, outcomes, offered, verdicts } = state;
  if (!(offered ?? []).some(({ confirm }) => confirm)) return [];
  return unconfirmedCalls(planCalls(calls, callableNames(task.tools, offered), toolboxWith(deps, offered), outcomes), verdicts);
}
