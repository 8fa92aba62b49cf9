import type { DocumentStore } from "../../../domain/ports/document-store.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import type { Toolbox } from "../../../domain/ports/tool.ts";
import { scopeOf } from "../../../domain/request.ts";
import type { ToolOutcome } from "../../../domain/tool.ts";
import { judged } from "../../confirm/judge-calls.ts";
import { emitFound } from "../../emit-found.ts";
import { knownAddresses } from "../../known-addresses.ts";
import { type Finished, hitsOf, ledgerEntryOf, makeCalls, outcomeOf, type PerformableCall } from "../../optional-tool/make-calls.ts";
import { type CallResult, performCall } from "../../optional-tool/perform-call.ts";
import { type PlannedCall, planCalls } from "../../optional-tool/plan-calls.ts";
import { keepSearch, recallCalls } from "../../thread-results/recall.ts";
import { threadView } from "../../thread-results/usable.ts";
import { gatheringMsLeft } from "../../time-budget.ts";
import { type ToolDeps, withOffered } from "../../tool-servers/with-offered.ts";
import type { Decide } from "../decide/decide-state.ts";
import { unanswered } from "../decide/read-messages.ts";
import { offeredTools } from "../offered-tools.ts";
import { notExecuted, settled } from "../settle.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "../state.ts";
import { toToolCall } from "../tool-call.ts";
import type { ActionResult } from "./action.ts";
import { READ_TOOL, type ReadDeps, readDocument } from "./read-document.ts";
import { SEARCH_TOOL, type SearchDeps, search } from "./search.ts";
import { tellResults } from "./tell-results.ts";

export interface ActDeps extends ToolDeps, SearchDeps, ReadDeps {
  readonly documents: DocumentStore;
  readonly decide: Decide;
  /** Milliseconds all calls of one round may take together; they are made at the same time. */
  readonly roundTimeoutMs: number;
}

/** Makes the calls of the last response at the same time; each of them gets exactly one result, and none fails the run. */
export function createActNode(deps: ActDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const step = deps.decide(state);
    if (step.type === "act" && step.mode === "stop") return stop(state, deps, effects);
    const leftMs = gatheringMsLeft(state, effects);
    if (leftMs === 0) return { steps: 1, spent: "time_budget", messages: settled(state.messages, "the time for it was used up") };
    return makeRound(state, deps, effects, Math.min(deps.roundTimeoutMs, leftMs));
  };
}

async function makeRound(state: AgentStateValue, deps: ActDeps, effects: Effects, timeoutMs: number): Promise<AgentUpdate> {
  const calls = unanswered(state.messages).map(toToolCall);
  const tools = withOffered(deps, state.offered);
  const all = judged(planCalls(calls, offeredTools(state), tools, state.outcomes), state.verdicts);
  const view = threadView(state, { tools, offered: offeredTools(state) }, effects);
  const planned = await recallCalls(all, view, deps.documents, effects);
  const known = knownAddresses(state);
  const finished = await makeCalls(planned, performIn(state, deps, effects, timeoutMs), effects, known);
  const hits = finished.flatMap(hitsOf);
  const totalResults = emitFound(state.hits, hits, effects);
  const round = state.round + 1;
  effects.emit({ type: "round-ended", round, results: hits.length, totalResults });
  const told = tellResults(finished, state.shown, state.messages);
  const observations = told.map(({ message }) => message.content);
  return {
    steps: 1,
    round: 1,
    finishReason: null,
    messages: [...state.messages, ...told.map(({ message }) => message)],
    verdicts: [],
    outcomes: outcomesOf(finished, observations, state, tools),
    hits,
    shown: told.flatMap(({ shown }) => shown),
    ...keptOf(finished, known),
  };
}

/** What the run itself does is done here; everything else is a call of its tool. */
function performIn(
  state: AgentStateValue,
  deps: ActDeps,
  effects: Effects,
  roundTimeoutMs: number,
): (plan: PerformableCall) => Promise<ActionResult> {
  const { task } = state;
  const fetched: Parameters<typeof readDocument>[2]["fetched"] = new Map();
  const context = { runId: effects.runId, metadata: task.metadata, scope: scopeOf(task), documents: deps.documents };
  return ({ call, tool, input }) => {
    const timeoutMs = Math.min(tool.timeoutMs, roundTimeoutMs);
    if (tool === SEARCH_TOOL)
      return search(input, deps, { task, timeoutMs, effects }).then((found) => keepSearch(call, found, task, effects));
    if (tool === READ_TOOL) return readDocument(input, deps, { state, timeoutMs, effects, fetched });
    return performCall({ call, tool, input, timeoutMs, ...context }, effects);
  };
}

/** What a tool says counts as new where its text is its result, and no call has brought it before. */
function outcomesOf(
  finished: readonly Finished<ActionResult>[],
  observations: readonly string[],
  state: AgentStateValue,
  tools: Toolbox,
): ToolOutcome[] {
  const known = new Set(state.hits.map(({ id }) => id));
  const said = new Set(state.outcomes.map(({ observation }) => observation));
  return finished.map((one, index): ToolOutcome => {
    const observation = observations[index] ?? "";
    const outcome = { ...outcomeOf(one, state.round + 1, known), observation };
    const inText = outcome.ok && !outcome.reused && tools.get(outcome.name)?.answersInText === true;
    return inText && !said.has(observation) ? { ...outcome, newResults: outcome.newResults + 1 } : outcome;
  });
}

function keptOf(
  finished: readonly Finished<ActionResult>[],
  known: readonly string[],
): Pick<AgentUpdate, "ledger" | "readings" | "downloads"> {
  const made = finished.map(({ planned, result }): Partial<ActionResult> => (planned.type === "perform" ? result : {}));
  return {
    ledger: finished.flatMap((one, index) => made[index]?.entries ?? [ledgerEntryOf(one, known)]),
    readings: made.flatMap(({ readings = [] }) => readings),
    downloads: made.reduce((sum, { downloads = 0 }) => sum + downloads, 0),
  };
}

interface StopDeps {
  readonly tools: Toolbox;
  readonly documents: DocumentStore;
}

/**
 * Makes the first call that stops the loop, of those that can be made, and no other call of the response. A tool that declines, and
 * calls that cannot be made, leave the loop going, and count as a round of calls: one that brings nothing new, unless the tool says so.
 */
async function stop(state: AgentStateValue, { tools, documents }: StopDeps, effects: Effects): Promise<AgentUpdate> {
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
