import { refusedBudget } from "../../domain/budget.ts";
import { type ChatReply, type ChatRequest, estimateInput } from "../../domain/chat.ts";
import { fittingTokens, modelFailureEntry, rulesMayReplace } from "../../domain/failures.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { ChatModel } from "../../domain/ports/models.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { type DossierError, toDossierError } from "../../errors.ts";
import { CLEAN_TOOL_CALLS } from "../../evidence/sanitize-output.ts";
import { countBySource, emitFound, knownAddresses } from "../../gathering/found.ts";
import { listGiven } from "../../gathering/given-material.ts";
import { gatheringMsLeft, readingMsLeft } from "../../gathering/limits.ts";
import { languageName } from "../../ranking/language.ts";
import { listOffered } from "../shared/tool-servers.ts";
import { type BuildRequest, fitToModel } from "./compress.ts";
import { type Decide, maySearchInstead } from "./decide.ts";
import { hasFindings } from "./load-evidence.ts";
import { answerOpenCalls, toToolCall } from "./messages.ts";
import { agentRequest, citedPrefixes, exceedsContext, modelsOf, type RequestDeps, readerFilters } from "./request.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";

export interface ThinkDeps extends RequestDeps {
  readonly model: ChatModel;
  readonly decide: Decide;
}

/** Asks the model once. A request that is too large or over budget is not sent. */
export function createThinkNode(deps: ThinkDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const startedAt = state.startedAt || effects.now();
    const given = state.messages.length === 0 ? listGiven(state.task) : null;
    const messages = messagesToSend(state, deps.decide, given?.text);
    const leftMs = gatheringMsLeft({ ...state, startedAt }, effects);
    if (leftMs === 0) return { steps: 1, startedAt, messages, spent: "time_budget" };
    const { offered, ledger } = await listOffered(state, deps.servers, effects, leftMs);
    if (given !== null) emitFound(state.hits, given.hits, effects);
    const known = given !== null && { hits: [...given.hits], shown: given.hits.map(({ id }) => id) };
    const started = { steps: 1, startedAt, offered, ledger, ...known };
    // The client's conversation may end with open calls or with the end of the task.
    if (state.messages.length === 0 && deps.decide({ ...state, offered, messages }).type !== "think") return { ...started, messages };
    const timeoutMs = gatheringMsLeft({ ...state, startedAt }, effects);
    const request = await agentRequest({ ...state, offered, startedAt }, messages, deps, effects);
    if (exceedsContext(request, state)) return { ...started, messages, crowded: true };
    const since = effects.now();
    try {
      const reply = await askModel(request, state, deps.model, effects, timeoutMs);
      const shown = await effects.compute(CLEAN_TOOL_CALLS, reply.toolCalls.map(toToolCall), knownAddresses(state));
      emitDecision(state, request, { ...reply, toolCalls: shown }, effects);
      const { content, toolCalls, attached } = reply;
      const response: AgentMessage = { role: "assistant", content, toolCalls, ...(attached && { attached }) };
      return { ...started, thinks: 1, spokeAt: effects.now(), messages: [...messages, response], finishReason: reply.finishReason };
    } catch (thrown) {
      effects.signal.throwIfAborted();
      const update = updateAfterFailure(toDossierError(thrown), request, since, { ...state, startedAt, ...known }, effects);
      return { ...started, messages, ...update, ledger: [...ledger, ...(update.ledger ?? [])] };
    }
  };
}

function messagesToSend(state: AgentStateValue, decide: Decide, given = ""): AgentMessage[] {
  const { question, begun = [] } = state.task;
  if (state.messages.length === 0) return [{ role: "user", content: [question, given].filter(Boolean).join("\n\n") }, ...begun];
  const step = decide(state);
  return step.type === "think" && step.say !== null ? [...state.messages, { role: "user", ...step.say }] : state.messages;
}

function askModel(request: ChatRequest, state: AgentStateValue, model: ChatModel, effects: Effects, timeoutMs: number): Promise<ChatReply> {
  const { task } = state;
  const options = {
    node: "think",
    limits: task.limits,
    models: modelsOf(task),
    // A run's only call and the calls of a nested run may use the budget that is reserved for writing.
    purpose: task.limits.modelCalls === 1 || task.part !== undefined ? "write" : "converse",
    timeoutMs,
    shown: readerFilters(state, citedPrefixes(state)),
  } as const;
  return model.complete(request, options, effects);
}

/** A prompt of fewer tokens says nothing that a model could answer. */
const MIN_INPUT_TOKENS = 500;

type FailureUpdate = Omit<AgentUpdate, "ledger"> & { readonly ledger?: LedgerEntry[] };

function updateAfterFailure(
  error: DossierError,
  request: ChatRequest,
  since: number,
  state: AgentStateValue,
  effects: Effects,
): FailureUpdate {
  const spent = refusedBudget(error);
  if (spent !== null) return { spent };
  const late = error.code === "timeout" || error.code === "model_unavailable";
  if (late && gatheringMsLeft(state, effects) === 0) return { spent: "time_budget" };
  // The server's limit is lower than the configured one. Each time the prompt has at most half of its tokens, so that the loop ends.
  const maxInputTokens = fittingTokens(estimateInput(request), error);
  if (error.code === "context_too_large" && maxInputTokens >= MIN_INPUT_TOKENS) {
    const entry = modelFailureEntry({ model: request.model, target: "prompt", error, ms: effects.elapsedMs(since) });
    return { crowded: true, maxInputTokens, ledger: [entry] };
  }
  const isReplaced = hasFindings(state) || maySearchInstead({ ...state, failure: error });
  return recordModelFailure(error, { node: "think", model: request.model, since, isReplaced }, effects);
}

type Decided = Pick<ChatReply, "content"> & { readonly toolCalls: ToolCall[] };

function emitDecision({ round, hits }: AgentStateValue, { tools }: ChatRequest, { content, toolCalls }: Decided, effects: Effects): void {
  effects.emit({
    type: "decision",
    round,
    toolsOffered: tools.map(({ name }) => name),
    resultsBySource: countBySource(hits),
    toolCalls,
    reason: toolCalls.length > 0 ? "it asks for calls" : content.trim() === "" ? "it says nothing" : "it answers",
    cached: false,
  });
}

interface FailedRequest {
  readonly node: string;
  readonly model: string;
  readonly since: number;
  readonly isReplaced: boolean;
}

/** Records why the run goes on without the model. @throws `error` if it is none of a model */
export function recordModelFailure(error: DossierError, { node, model, since, isReplaced }: FailedRequest, effects: Effects) {
  const { code, message } = error;
  if (!rulesMayReplace(code, true)) throw error;
  const fallback = isReplaced ? "rules" : null;
  effects.emit({ type: "model-failed", node, model: model || "model", failure: code, message, fallback });
  const entry = modelFailureEntry({ model, target: "report", error, ms: effects.elapsedMs(since) });
  return { failure: { code, message }, ledger: [entry] };
}

/** Asks the model for the answer, without tools. The budget has a reserve for this call. */
export function createWriteNode(deps: RequestDeps & Pick<ThinkDeps, "model">): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const { task } = state;
    const timeoutMs = readingMsLeft(state, effects);
    if (timeoutMs === 0) return { steps: 1 };
    const content = await deps.prompts("messages/agent-answer", { language: languageName(task) });
    const asked: AgentMessage = { role: "user", content, mark: "nudge" };
    const messages = answerOpenCalls(state.messages, "the gathering has ended");
    const build: BuildRequest = (shorter, kept) => agentRequest({ ...state, ...kept }, shorter, deps, effects, "write");
    const fitted = await fitToModel(state, [...messages, asked], build);
    if (fitted === null) return { steps: 1 };
    const models = modelsOf(task);
    const shown = readerFilters(state, citedPrefixes(state));
    const options = { node: "write", limits: task.limits, models, purpose: "write", timeoutMs, shown } as const;
    const since = effects.now();
    try {
      const { content: written, finishReason } = await deps.model.complete(fitted.request, options, effects);
      const usable = finishReason !== "repetition" && written.trim() !== "";
      return { steps: 1, writes: 1, written: usable ? written : null, cut: usable && finishReason === "length" };
    } catch (thrown) {
      effects.signal.throwIfAborted();
      const error = toDossierError(thrown);
      if (refusedBudget(error) !== null) return { steps: 1 };
      const failed = { node: "write", model: fitted.request.model, since, isReplaced: true };
      return { steps: 1, ledger: recordModelFailure(error, failed, effects).ledger };
    }
  };
}
