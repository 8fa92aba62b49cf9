import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { Toolbox } from "../../domain/ports/tools.ts";
import type { ToolOutcome } from "../../domain/tool.ts";
import type { ReadDeps } from "../../gathering/fetch.ts";
import { knownAddresses } from "../../gathering/found.ts";
import { gatheringMsLeft } from "../../gathering/limits.ts";
import { type PerformableCall, type PlannedCall, planCalls } from "../../gathering/plan-calls.ts";
import { Reader } from "../../gathering/reader.ts";
import { recordSearch } from "../../gathering/thread.ts";
import { type FinishedCall, ledgerEntryOf, makeCalls, outcomeOf, performCall } from "../shared/make-calls.ts";
import { makeRound, type RequestedCalls, type RoundDeps } from "../shared/tool-round.ts";
import { callsOfLastResponse } from "./ask.ts";
import type { Decide } from "./decide.ts";
import { formatResults, listedHits } from "./format-results.ts";
import { answerOpenCalls, notExecutedResult, openCalls, toToolCall } from "./messages.ts";
import { readFound } from "./read-found.ts";
import { offeredTools } from "./request.ts";
import {
  type ActionResult,
  type FinishedAction,
  READ_TOOL,
  type RoundContext,
  readDocument,
  SEARCH_TOOL,
  type SearchDeps,
  search,
} from "./search-and-read.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";

const READ_TIMEOUT_MS = 60_000;

export interface ActDeps extends RoundDeps, SearchDeps, ReadDeps {
  readonly decide: Decide;
}

/** Executes the tool calls of the model's last response in parallel. A failed call becomes a tool result and does not fail the run. */
export function createActNode(deps: ActDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const step = deps.decide(state);
    if (step.type === "act" && step.mode === "stop") return makeStopCall(state, deps, effects);
    const leftMs = gatheringMsLeft(state, effects);
    if (leftMs === 0) return { steps: 1, spent: "time_budget", messages: answerOpenCalls(state.messages, "the time for it was used up") };
    const calls = step.type === "act" && step.mode === "search" ? searchForQuestion(state) : callsOfLastResponse(state);
    return makeAllCalls(calls, state, deps, effects, Math.min(deps.roundTimeoutMs, leftMs));
  };
}

function searchForQuestion(state: AgentStateValue): RequestedCalls {
  const call = { id: "question", name: SEARCH_TOOL.name, arguments: { queries: [{ text: state.task.question }] } };
  return { calls: [call], names: offeredTools(state) };
}

async function makeAllCalls(
  requested: RequestedCalls,
  state: AgentStateValue,
  deps: ActDeps,
  effects: Effects,
  limitMs: number,
): Promise<AgentUpdate> {
  const { documents } = deps;
  const startedAt = effects.now();
  const leftMs = () => Math.max(0, Math.min(READ_TIMEOUT_MS, limitMs - effects.elapsedMs(startedAt)));
  const reader = new Reader({ ...state, reader: deps.reader, documents, effects, leftMs, known: state.readings });
  const context: RoundContext = { state, documents, effects, reader };
  const perform = createPerform(context, deps, limitMs);
  const round = await makeRound(requested, state, deps, perform, effects);
  const { hits, known, tools } = round;
  // What the model asked to read is read before what its searches found.
  const finished = await readFound(round.finished, context);
  const results = formatResults(finished, state);
  const observations = results.map(({ message }) => message.content);
  const made = finished.map(({ planned, result }): Partial<ActionResult> => {
    return planned.type === "reuse" || planned.type === "repeat" ? {} : result;
  });
  return {
    steps: 1,
    round: 1,
    finishReason: null,
    messages: [...state.messages, ...results.map(({ message }) => message)],
    verdicts: [],
    outcomes: outcomesOf(finished, observations, state, tools),
    hits,
    shown: results.flatMap(({ sourceIds }) => sourceIds),
    told: [...state.told, ...results.flatMap(({ told }) => told)],
    ledger: finished.flatMap((one, index) => [...(made[index]?.entries ?? [ledgerEntryOf(one, known)]), ...(made[index]?.reads ?? [])]),
    readings: made.flatMap(({ readings = [] }) => readings),
    downloads: made.reduce((sum, { downloads = 0 }) => sum + downloads, 0),
  };
}

function createPerform(context: RoundContext, deps: SearchDeps, limitMs: number) {
  const { documents, effects } = context;
  const { task } = context.state;
  return (plan: PerformableCall): Promise<ActionResult> => {
    const { call, tool, input } = plan;
    const timeoutMs = Math.min(tool.timeoutMs, limitMs);
    if (tool === SEARCH_TOOL)
      return search(input, deps, { task, timeoutMs, effects }).then((found) => recordSearch(call, found, task, effects));
    if (tool === READ_TOOL) return readDocument(input, context);
    return performCall(plan, limitMs, { task, documents, effects });
  };
}

/** Progress is what the model was not shown before: listed sources and places of texts; of other tools sources, and texts that they answer. */
function outcomesOf(
  finished: readonly FinishedAction[],
  observations: readonly string[],
  { hits, shown, outcomes, round }: AgentStateValue,
  tools: Toolbox,
): ToolOutcome[] {
  const known = new Set(hits.map(({ id }) => id));
  const listed = new Set(shown);
  const earlier = new Set(outcomes.map(({ observation }) => observation));
  return finished.map((one, index): ToolOutcome => {
    const observation = observations[index] ?? "";
    const { result } = one;
    const outcome = { ...outcomeOf(one, round + 1, known), ...(result.ok && { observation }) };
    if (outcome.reused) return outcome;
    if (result.fresh !== undefined) {
      const more = listedHits(result).filter(({ id }) => !listed.has(id));
      for (const { id } of more) listed.add(id);
      return { ...outcome, newResults: more.length + result.fresh };
    }
    const inText = outcome.ok && tools.get(outcome.name)?.answersInText === true;
    return inText && !earlier.has(observation) ? { ...outcome, newResults: outcome.newResults + 1 } : outcome;
  });
}

/** Executes the first valid call of a tool that ends the loop, and no other call. */
async function makeStopCall(state: AgentStateValue, { tools, documents }: ActDeps, effects: Effects): Promise<AgentUpdate> {
  const { task, messages } = state;
  const open = openCalls(messages);
  const plans = open.flatMap((call): PlannedCall[] => {
    return tools.get(call.name)?.effect === "stop" ? planCalls([toToolCall(call)], offeredTools(state), tools, state.outcomes) : [];
  });
  const first = plans.find((plan) => plan.type === "perform");
  const perform = (plan: PerformableCall) => performCall(plan, plan.tool.timeoutMs, { task, documents, effects });
  const finished = await makeCalls(first === undefined ? plans : [first], { perform, effects, known: knownAddresses(state) });
  const ended = finished.find(({ result }) => result.ok && result.findings.shouldContinue !== true)?.result;
  const results = open.map((call): AgentMessage => {
    const one = finished.find(({ planned }) => planned.call.id === call.id);
    return one === undefined ? notExecutedResult(call, "a call beside it was to end the task") : stopResultMessage(one);
  });
  const update = { steps: 1, messages: [...messages, ...results] };
  if (ended?.ok === true) return { ...update, finished: { answer: ended.findings.text, summary: ended.findings.summary ?? "" } };
  return { ...update, round: 1, outcomes: finished.map((one) => outcomeOfDeclined(one, state)) };
}

function outcomeOfDeclined(one: FinishedCall, { round, outcomes }: AgentStateValue): ToolOutcome {
  const outcome = outcomeOf(one, round + 1, new Set());
  const isKnown = outcomes.some(({ observation }) => observation === outcome.observation);
  return { ...outcome, newResults: outcome.ok && !isKnown ? 1 : 0 };
}

function stopResultMessage({ planned, result }: FinishedCall): AgentMessage {
  const { id: callId, name } = planned.call;
  const message = { role: "tool" as const, callId, name };
  if (!result.ok) return { ...message, content: result.error.message, mark: "declined" };
  const { text, shouldContinue } = result.findings;
  return shouldContinue === true
    ? { ...message, content: text || "Go on.", mark: "declined" }
    : { ...message, content: "The task has ended." };
}
