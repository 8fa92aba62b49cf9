import { type Hit, mergeHits } from "../../domain/hit.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { Toolbox } from "../../domain/ports/tools.ts";
import type { ToolOutcome } from "../../domain/tool.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { fence } from "../../evidence/data-fence.ts";
import type { ReadDeps } from "../executor/download.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import { type FinishedCall, ledgerEntryOf, makeCalls, outcomeOf, performCall } from "../shared/make-calls.ts";
import { type PerformableCall, type PlannedCall, planCalls } from "../shared/plan-calls.ts";
import { describeSource, titleOf } from "../shared/source-facts.ts";
import { knownAddresses } from "../shared/sources.ts";
import { recordSearch } from "../shared/thread-results.ts";
import { makeRound, type RoundDeps } from "../shared/tool-round.ts";
import { callsOfLastResponse } from "./ask.ts";
import type { Decide } from "./decide.ts";
import { answerOpenCalls, notExecutedResult, openCalls, toToolCall } from "./messages.ts";
import { readFound } from "./read-found.ts";
import { offeredTools } from "./request.ts";
import { RoundReader } from "./round-reader.ts";
import { type ActionResult, READ_TOOL, readDocument, SEARCH_TOOL, type SearchDeps, search } from "./search-and-read.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";

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
    return makeAllCalls(state, deps, effects, Math.min(deps.roundTimeoutMs, leftMs));
  };
}

async function makeAllCalls(state: AgentStateValue, deps: ActDeps, effects: Effects, limitMs: number): Promise<AgentUpdate> {
  const { documents } = deps;
  const reader = new RoundReader({ state, reader: deps.reader, documents, effects, limitMs });
  const perform = createPerform(state, deps, effects, { reader, limitMs });
  const round = await makeRound(callsOfLastResponse(state), state, deps, perform, effects);
  const { hits, known, tools } = round;
  // What the model asked to read is read before what its searches found.
  const finished = await readFound(round.finished, { state, documents, effects, reader });
  const results = formatResults(finished, state.shown, state.messages);
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
    ledger: finished.flatMap((one, index) => [...(made[index]?.entries ?? [ledgerEntryOf(one, known)]), ...(made[index]?.reads ?? [])]),
    readings: made.flatMap(({ readings = [] }) => readings),
    downloads: made.reduce((sum, { downloads = 0 }) => sum + downloads, 0),
  };
}

function createPerform(
  state: AgentStateValue,
  { documents, ...deps }: ActDeps,
  effects: Effects,
  { reader, limitMs }: { readonly reader: RoundReader; readonly limitMs: number },
) {
  const { task } = state;
  return (plan: PerformableCall): Promise<ActionResult> => {
    const { call, tool, input } = plan;
    const timeoutMs = Math.min(tool.timeoutMs, limitMs);
    if (tool === SEARCH_TOOL)
      return search(input, deps, { task, timeoutMs, effects }).then((found) => recordSearch(call, found, task, effects));
    if (tool === READ_TOOL) return readDocument(input, { state, documents, effects, reader });
    return performCall(plan, limitMs, { task, documents, effects });
  };
}

function outcomesOf(
  finished: readonly FinishedCall<ActionResult>[],
  observations: readonly string[],
  { hits, outcomes, round }: AgentStateValue,
  tools: Toolbox,
): ToolOutcome[] {
  const known = new Set(hits.map(({ id }) => id));
  const earlier = new Set(outcomes.map(({ observation }) => observation));
  return finished.map((one, index): ToolOutcome => {
    const observation = observations[index] ?? "";
    const outcome = { ...outcomeOf(one, round + 1, known), observation };
    const inText = outcome.ok && !outcome.reused && tools.get(outcome.name)?.answersInText === true;
    return inText && !earlier.has(observation) ? { ...outcome, newResults: outcome.newResults + 1 } : outcome;
  });
}

/** Executes the first valid call of a tool that ends the loop, and no other call. */
async function makeStopCall(state: AgentStateValue, { tools, documents }: ActDeps, effects: Effects): Promise<AgentUpdate> {
  const { task, messages } = state;
  const open = openCalls(messages);
  const plans = open.flatMap((call): PlannedCall[] => {
    return tools.get(call.name)?.effect === "stop" ? planCalls([toToolCall(call)], offeredTools(state), tools, []) : [];
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
  if (ended?.ok === true) return { ...update, finished: ended.findings.text };
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
  if (!result.ok) return { ...message, content: `${result.error.code}: ${result.error.message}`, mark: "declined" };
  const { text, shouldContinue } = result.findings;
  return shouldContinue === true
    ? { ...message, content: text || "Go on.", mark: "declined" }
    : { ...message, content: "The task has ended." };
}

const MAX_RESULT_LENGTH = 6_000;
/** More than the places of six sources and the titles and first lines of a search's list. */
const MAX_READ_LENGTH = 16_000;
const MAX_LISTED = 10;
const MAX_SOURCE_LINE = 400;
const FIRST_LINES_LENGTH = 400;
const MAX_BRIEF_LENGTH = 400;

/** Formats tool results for the model as fenced data. A source is shown with an id such as S1, without its address. */
function formatResults(finished: readonly FinishedCall<ActionResult>[], shown: readonly string[], messages: readonly AgentMessage[]) {
  const known = [...shown];
  return finished.map((one) => {
    const listed = listedHits(one.result);
    for (const { id } of listed) if (!known.includes(id)) known.push(id);
    const idOf = (hit: Hit): string => `S${known.indexOf(hit.id) + 1}`;
    return { message: resultMessage(one, listed, idOf, messages), sourceIds: listed.map(({ id }) => id) };
  });
}

function resultMessage(
  { planned, result }: FinishedCall<ActionResult>,
  listed: readonly Hit[],
  idOf: (hit: Hit) => string,
  messages: readonly AgentMessage[],
): AgentMessage {
  const { id: callId, name, arguments: args } = planned.call;
  const call = `${name} ${JSON.stringify(args)}`;
  const toResult = (content: string, what: string): AgentMessage => {
    const brief = `${call}: ${what}`.replace(/\s+/g, " ").slice(0, MAX_BRIEF_LENGTH).toWellFormed();
    return { role: "tool", callId, name, content: content.toWellFormed(), brief };
  };
  if (!result.ok) {
    const { code, message } = result.error;
    return toResult(fence(name, `${code}: ${stripUnknownAddresses(message, [])}`), `failed, ${code}`);
  }
  if (planned.type === "reuse") {
    const { observation } = planned.earlier;
    const isAbove = messages.some(({ content }) => content === observation);
    return toResult(isAbove ? "You made this very call before; its result stands above." : observation, "made before");
  }
  if (planned.type === "repeat") return toResult("You made this very call twice; its result stands above.", "made twice");
  const places = "places" in result ? result.places : undefined;
  const blocks = listed.map((hit) => formatHit(hit, idOf(hit), places));
  const text = [stripUnknownAddresses(result.findings.text, []), ...blocks].filter((part) => part !== "").join("\n\n");
  const titles = listed.map((hit) => `${idOf(hit)} ${titleOf(hit)}`).join("; ");
  return toResult(
    fence(name, text.slice(0, places === undefined ? MAX_RESULT_LENGTH : MAX_READ_LENGTH) || "Nothing."),
    titles || text.slice(0, MAX_BRIEF_LENGTH),
  );
}

function listedHits(result: FinishedCall<ActionResult>["result"]): readonly Hit[] {
  if (!result.ok) return [];
  const shown = "shown" in result ? result.shown : undefined;
  return mergeHits([], shown ?? result.findings.hits).slice(0, MAX_LISTED);
}

/** With `places`, says of a source that has none that only its first lines are shown. */
function formatHit(hit: Hit, id: string, places?: ReadonlyMap<string, string>): string {
  const firstLines = hit.snippet.replace(/\s+/g, " ").trim().slice(0, FIRST_LINES_LENGTH);
  const unread = places === undefined || firstLines === "" ? firstLines : `First lines: ${firstLines}`;
  const text = stripUnknownAddresses(places?.get(hit.id) ?? unread, []);
  return `[${id}] ${describeSource(hit).slice(0, MAX_SOURCE_LINE)}${text === "" ? "" : `\n${text}`}`;
}
