import type { ModelToolCall } from "../../domain/chat.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import { scopeOf } from "../../domain/task.ts";
import type { ToolOutcome } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { knownAddresses } from "../../gathering/found.ts";
import { callKey, planCalls } from "../../gathering/plan-calls.ts";
import { askForConsent, askQuestion } from "../shared/ask-user.ts";
import { failedBefore } from "../shared/make-calls.ts";
import { callsToConfirm, type RequestedCalls } from "../shared/tool-round.ts";
import { type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import { notExecutedResult, openCalls, toToolCall } from "./messages.ts";
import { offeredTools } from "./request.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";

const MAX_BRIEF_LENGTH = 300;

export function createAskNode(deps: ToolDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { round, messages } = state;
    const open = openCalls(messages);
    const { asked, known } = await findQuestion(open, state, deps, effects);
    if (asked !== null) known.push(answerFromUser(asked, askQuestion(asked.prompt, knownAddresses(state))));
    const results = open.flatMap((call) => {
      const message = known.find((one) => one.call === call)?.message;
      // If the user is asked nothing new, the calls beside the question are made.
      return message ?? (asked === null ? [] : notExecutedResult(call, "the user was to be asked first"));
    });
    return {
      steps: 1,
      round: results.length < open.length ? 0 : 1,
      waitedMs: asked === null ? 0 : effects.elapsedMs(state.spokeAt),
      finishReason: null,
      messages: [...messages, ...results],
      outcomes: known.map(({ outcome }) => ({ ...outcome, round: round + 1 })),
    };
  };
}

interface Asked {
  readonly call: ModelToolCall;
  readonly prompt: string;
}

interface CallAnswer {
  readonly call: ModelToolCall;
  readonly message: AgentMessage;
  readonly outcome: Omit<ToolOutcome, "round">;
}

type CallEffects = Pick<Effects, "runId" | "signal">;

async function findQuestion(open: readonly ModelToolCall[], state: AgentStateValue, deps: ToolDeps, effects: CallEffects) {
  const known: CallAnswer[] = [];
  for (const call of open.filter(({ name }) => deps.tools.get(name)?.effect === "wait")) {
    const one = await promptOf(call, state, deps, effects);
    if ("prompt" in one) return { asked: one, known };
    known.push(one);
  }
  return { asked: null, known };
}

/** Gets the question from the tool. The call is not recorded, because the tool contacts no server. */
async function promptOf(call: ModelToolCall, state: AgentStateValue, deps: ToolDeps, effects: CallEffects): Promise<Asked | CallAnswer> {
  const { runId, signal } = effects;
  const { task, outcomes, offered } = state;
  const made = toToolCall(call);
  const key = callKey(made);
  const earlier = outcomes.find((outcome) => outcome.ok && callKey(outcome) === key);
  if (earlier !== undefined) {
    const { observation } = earlier;
    const message = { content: `The user was asked this before and answered: ${observation}`, brief: `${call.name}: asked before` };
    return toCallAnswer(call, message, { observation, reused: true });
  }
  const [plan] = planCalls([made], offeredTools(state), toolboxWith(deps, offered), outcomes);
  if (plan?.type === "reuse") return answerFromRefusal(call, failedBefore(plan.earlier), true);
  if (plan?.type === "refuse") return answerFromRefusal(call, plan);
  if (plan?.type !== "perform") throw new DossierError("internal", `The call ${call.name} was not planned.`);
  const context = { runId, signal, scope: scopeOf(task), metadata: task.metadata };
  const result = await plan.tool.call(plan.input, context).catch((error: unknown) => toDossierError(error, "tool_failed"));
  return result instanceof Error ? answerFromRefusal(call, result) : { call, prompt: result.text };
}

function answerFromUser({ call, prompt }: Asked, text: string): CallAnswer {
  const brief = `${call.name} ${prompt}: ${text}`.replace(/\s+/g, " ").slice(0, MAX_BRIEF_LENGTH).toWellFormed();
  return toCallAnswer(call, { content: text, brief }, { observation: text, newResults: 1 });
}

function answerFromRefusal(
  call: ModelToolCall,
  { code, message: content }: { readonly code: string; readonly message: string },
  reused = false,
): CallAnswer {
  return toCallAnswer(call, { ...notExecutedResult(call, ""), content }, { observation: content, ok: false, reused, failure: code });
}

function toCallAnswer(
  call: ModelToolCall,
  message: Pick<AgentMessage, "content" | "brief" | "mark">,
  outcome: Pick<ToolOutcome, "observation"> & Partial<ToolOutcome>,
): CallAnswer {
  const { name, arguments: args } = toToolCall(call);
  const unused = { name, arguments: args, ok: true, reused: false, results: 0, newResults: 0, failure: null };
  return { call, message: { ...message, role: "tool", callId: call.id, name }, outcome: { ...unused, ...outcome } };
}

export function createAgentConfirmNode(deps: ToolDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const verdicts = callsToConfirm(callsOfLastResponse(state), state, deps).map((call) => askForConsent(call, state.task));
    return { steps: 1, verdicts, waitedMs: effects.elapsedMs(state.spokeAt) };
  };
}

export function callsOfLastResponse(state: AgentStateValue): RequestedCalls {
  return { calls: openCalls(state.messages).map(toToolCall), names: offeredTools(state) };
}
