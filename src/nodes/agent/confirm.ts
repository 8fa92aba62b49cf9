import type { GraphNode } from "../../domain/ports/effects.ts";
import { askForConsent, planCalls, unconfirmedCalls } from "../shared/plan-calls.ts";
import { type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import { openCalls, toToolCall } from "./messages.ts";
import { offeredTools } from "./request.ts";
import type { AgentStateValue, AgentUpdate } from "./state.ts";

/** Asks the user about each call of the last response that needs consent, one after another, and makes none of them. */
export function createAgentConfirmNode(deps: ToolDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const verdicts = callsToConfirm(state, deps).map(({ call }) => askForConsent(call, state.task));
    return { steps: 1, verdicts, waitedMs: effects.elapsedMs(state.spokeAt) };
  };
}

export function callsToConfirm(state: AgentStateValue, deps: ToolDeps): ReturnType<typeof unconfirmedCalls> {
  const { messages, outcomes, offered, verdicts } = state;
  if (!(offered ?? []).some(({ confirm }) => confirm)) return [];
  const calls = openCalls(messages).map(toToolCall);
  return unconfirmedCalls(planCalls(calls, offeredTools(state), toolboxWith(deps, offered), outcomes), verdicts);
}
