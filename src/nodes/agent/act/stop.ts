import type { DocumentStore } from "../../../domain/ports/document-store.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { Toolbox } from "../../../domain/ports/tool.ts";
import { scopeOf } from "../../../domain/request.ts";
import type { ToolOutcome } from "../../../domain/tool.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "../../../graphs/agent/state.ts";
import { knownAddresses } from "../../known-addresses.ts";
import { type Finished, makeCalls, outcomeOf, type PerformableCall } from "../../optional-tool/make-calls.ts";
import { type CallResult, performCall } from "../../optional-tool/perform-call.ts";
import { type PlannedCall, planCalls } from "../../optional-tool/plan-calls.ts";
import { unanswered } from "../decide/read-messages.ts";
import { offeredTools } from "../offered-tools.ts";
import { notExecuted } from "../settle.ts";
import { toToolCall } from "../tool-call.ts";

interface StopDeps {
  readonly tools: Toolbox;
  readonly documents: DocumentStore;
}

/**
 * Makes the first call that stops the loop, of those that can be made, and no other call of the response. A tool that declines, and
 * calls that cannot be made, leave the loop going, and count as a round of calls: one that brings nothing new, unless the tool says so.
 */
export async function stop(state: AgentStateValue, { tools, documents }: StopDeps, effects: Effects): Promise<AgentUpdate> {
  const { task, messages } = state;
  const open = unanswered(messages);
  const plans = open.map((call): PlannedCall | null => {
    if (tools.get(call.name)?.effect !== "stop") return null;
    return planCalls([toToolCall(call)], offeredTools(state), tools, [])[0] ?? null;
  });
  const first = plans.find((plan) => plan?.type === "perform");
  const made = first === undefined ? plans.filter((plan) => plan !== null) : [first];
  const context = { runId: effects.runId, metadata: task.metadata, scope: scopeOf(task), documents };
  const perform = ({ call, tool, input }: PerformableCall): Promise<CallResult> =>
    performCall({ call, tool, input, timeoutMs: tool.timeoutMs, ...context }, effects);
  const finished = await makeCalls(made, perform, effects, knownAddresses(state));
  const ended = finished.find(({ result }) => result.ok && result.findings.shouldContinue !== true)?.result;
  const results = open.map((call): AgentMessage => {
    const one = finished.find(({ planned }) => planned.call.id === call.id);
    return one === undefined ? notExecuted(call, "a call beside it was to end the task") : resultOf(one);
  });
  const update = { steps: 1, messages: [...messages, ...results] };
  if (ended?.ok === true) return { ...update, finished: ended.findings.text };
  return { ...update, round: 1, outcomes: finished.map((one) => declined(one, state)) };
}

/** Why a tool declines is news the first time. */
function declined(one: Finished, { round, outcomes }: AgentStateValue): ToolOutcome {
  const outcome = outcomeOf(one, round + 1, new Set());
  const said = outcomes.some(({ observation }) => observation === outcome.observation);
  return { ...outcome, newResults: outcome.ok && !said ? 1 : 0 };
}

function resultOf({ planned, result }: Finished): AgentMessage {
  const { id: callId, name } = planned.call;
  const message = { role: "tool" as const, callId, name };
  if (!result.ok) return { ...message, content: `${result.error.code}: ${result.error.message}`, mark: "declined" };
  const { text, shouldContinue } = result.findings;
  return shouldContinue === true
    ? { ...message, content: text || "Go on.", mark: "declined" }
    : { ...message, content: "The task has ended." };
}
