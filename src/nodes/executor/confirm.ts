import type { GraphNode } from "../../domain/ports/effects.ts";
import { askToAgree, openCalls, planCalls } from "../shared/plan-calls.ts";
import { namesIn, type ToolDeps, withOffered } from "../shared/tool-servers.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

/**
 * Asks the user about each call of the round that would change something, one after the other. It makes none of them: when the answer
 * is there, the node runs again from its beginning.
 */
export function createConfirmNode(deps: ToolDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state) => ({ verdicts: callsToConfirm(state, deps).map(({ call }) => askToAgree(call, state.task)) });
}

/** The calls of the last decision that wait for the user. */
export function callsToConfirm(state: ExecutorStateValue, deps: ToolDeps): ReturnType<typeof openCalls> {
  const { task, calls, outcomes, offered, verdicts } = state;
  if (!(offered ?? []).some(({ confirm }) => confirm)) return [];
  return openCalls(planCalls(calls, namesIn(task.tools, offered), withOffered(deps, offered), outcomes), verdicts);
}
