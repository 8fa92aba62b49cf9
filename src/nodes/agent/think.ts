import { refusedBudget } from "../../domain/budget.ts";
import { type ChatReply, type ChatRequest, estimateInput } from "../../domain/chat.ts";
import { modelFailureEntry, rulesMayReplace } from "../../domain/failures.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { ChatModel } from "../../domain/ports/models.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { type DossierError, toDossierError } from "../../errors.ts";
import { sanitizeToolCall } from "../../evidence/sanitize-output.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import { countBySource, knownAddresses } from "../shared/sources.ts";
import { listOffered } from "../shared/tool-servers.ts";
import type { Decide } from "./decide.ts";
import { hasFindings } from "./evidence.ts";
import { toToolCall } from "./messages.ts";
import { agentRequest, isTooLarge, modelsOf, type RequestDeps, shownToReaders } from "./request.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate, ModelFailure } from "./state.ts";

export interface ThinkDeps extends RequestDeps {
  readonly model: ChatModel;
  readonly decide: Decide;
}

/** Asks the model once. A request without a budget, or too large, is left to the decision. */
export function createThinkNode(deps: ThinkDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const startedAt = state.startedAt || effects.now();
    const messages = withOwnMessage(state, deps.decide);
    const leftMs = gatheringMsLeft({ ...state, startedAt }, effects);
    if (leftMs === 0) return { steps: 1, startedAt, messages, spent: "time_budget" };
    const { offered, ledger } = await listOffered(state, deps.servers, effects, leftMs);
    const started = { steps: 1, startedAt, offered, ledger };
    const timeoutMs = gatheringMsLeft({ ...state, startedAt }, effects);
    const request = await agentRequest({ ...state, offered, startedAt }, messages, deps, effects);
    if (isTooLarge(request, state)) return { ...started, messages, crowded: true };
    const since = effects.now();
    try {
      const reply = await ask(request, { state, deps, effects, timeoutMs });
      emitDecision(state, request, reply, effects);
      const response: AgentMessage = { role: "assistant", content: reply.content, toolCalls: reply.toolCalls };
      return { ...started, thinks: 1, spokeAt: effects.now(), messages: [...messages, response], finishReason: reply.finishReason };
    } catch (thrown) {
      effects.signal.throwIfAborted();
      const without = withoutReply(toDossierError(thrown), { request, since }, { ...state, startedAt }, effects);
      return { ...started, messages, ...without, ledger: [...ledger, ...(without.ledger ?? [])] };
    }
  };
}

/** Adds the loop's own message to the model, if there is one. */
function withOwnMessage(state: AgentStateValue, decide: Decide): AgentMessage[] {
  if (state.messages.length === 0) return [{ role: "user", content: state.task.question }];
  const step = decide(state);
  return step.type === "think" && step.say !== null ? [...state.messages, { role: "user", ...step.say }] : state.messages;
}

interface Asking {
  readonly state: AgentStateValue;
  readonly deps: ThinkDeps;
  readonly effects: Effects;
  readonly timeoutMs: number;
}

function ask(request: ChatRequest, { state, deps, effects, timeoutMs }: Asking): Promise<ChatReply> {
  const { task } = state;
  const options = {
    node: "think",
    limits: task.limits,
    models: modelsOf(task),
    // The only call may have to be the answer, and a part writes no other one.
    purpose: task.limits.modelCalls === 1 || task.part !== undefined ? "write" : "gather",
    timeoutMs,
    shown: shownToReaders(state),
  } as const;
  return deps.model.complete(request, options, effects);
}

type FailedThought = Omit<AgentUpdate, "ledger"> & { readonly ledger?: LedgerEntry[] };

interface Asked {
  readonly request: ChatRequest;
  readonly since: number;
}

/** @throws DossierError if nothing else leads to an answer */
function withoutReply(error: DossierError, { request, since }: Asked, state: AgentStateValue, effects: Effects): FailedThought {
  const spent = refusedBudget(error);
  if (spent !== null) return { spent };
  const late = error.code === "timeout" || error.code === "model_unavailable";
  if (late && gatheringMsLeft(state, effects) === 0) return { spent: "time_budget" };
  // The server knows its limit better than the settings do. It is believed once.
  if (error.code === "context_too_large" && state.maxInputTokens === null)
    return { crowded: true, maxInputTokens: Math.floor(estimateInput(request) / 2) };
  return modelFailed(
    error,
    { node: "think", model: request.model, since, replaceable: hasFindings(state), isPart: state.task.part !== undefined },
    effects,
  );
}

function emitDecision(state: AgentStateValue, { tools }: ChatRequest, { content, toolCalls }: ChatReply, effects: Effects): void {
  const { round, hits } = state;
  const known = knownAddresses(state);
  effects.emit({
    type: "decision",
    round,
    toolsOffered: tools.map(({ name }) => name),
    resultsBySource: countBySource(hits),
    toolCalls: toolCalls.map((call) => sanitizeToolCall(toToolCall(call), known)),
    reason: toolCalls.length > 0 ? "it asks for calls" : content.trim() === "" ? "it says nothing" : "it answers",
    cached: false,
  });
}

interface FailedRequest {
  readonly node: string;
  readonly model: string;
  readonly since: number;
  readonly replaceable: boolean;
  /** A part of a run can fail without failing the run. */
  readonly isPart: boolean;
}

/** Records the failure of a model; rules go on. @throws DossierError `error` itself if rules cannot */
export function modelFailed(
  error: DossierError,
  { node, model, since, replaceable, isPart }: FailedRequest,
  effects: Effects,
): { readonly failure: ModelFailure; readonly ledger: LedgerEntry[] } {
  const { code, message } = error;
  if (!rulesMayReplace(code) && !(isPart && code === "model_refused")) throw error;
  const fallback = replaceable ? "rules" : null;
  effects.emit({ type: "model-failed", node, model: model || "model", failure: code, message, fallback });
  return {
    failure: { code, message },
    ledger: [modelFailureEntry({ model, target: "report", code, message, ms: effects.elapsedMs(since) })],
  };
}
