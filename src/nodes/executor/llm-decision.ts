import { refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import type { LoopEnding } from "../../domain/events.ts";
import { mergeHits } from "../../domain/hit.ts";
import { hashJson, type JsonValue } from "../../domain/json.ts";
import type { Analyst, Decision, DecisionMemo, DecisionView } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { PlannedQuery } from "../../domain/queries.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { taskView } from "../../domain/task.ts";
import { type DossierError, toDossierError } from "../../errors.ts";
import { CLEAN_TOOL_CALLS } from "../../evidence/sanitize-output.ts";
import { countBySource, emitFound, firstLines, knownAddresses, shownQuery } from "../../gathering/found.ts";
import { gatheringMsLeft } from "../../gathering/limits.ts";
import { needsQueries } from "../../gathering/plan.ts";
import { isStuck } from "../../gathering/plan-calls.ts";
import { formatThreadResults, isReusable, recall, shownResults, type ThreadView, threadView } from "../../gathering/thread.ts";
import { type FinishedCall, hitsOf, ledgerEntryOf } from "../shared/make-calls.ts";
import { callableNames, listOffered, type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface LlmDecisionDeps extends ToolDeps {
  readonly documents: DocumentStore;
  readonly analyst: Analyst;
  readonly memo: DecisionMemo;
}

const BEST_SHOWN = 8;
const DECISION_SHARE = 0.5;
/** Timers and the run's clock may differ by up to this much. */
const CLOCK_SLACK_MS = 50;
const MEMO_TIMEOUT_MS = 1_000;

/** Asks the analyst which optional tools to call and what to search for, and ends the loop when no tool is left to call. */
export function createLlmDecisionNode(deps: LlmDecisionDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const started = { ...state, startedAt: state.startedAt || effects.now() };
    const early = endBeforeDecision(started, effects);
    if (early !== null) return early;
    const { offered, ledger } = await listOffered(started, deps.servers, effects, gatheringMsLeft(started, effects));
    const listed = { ...started, offered };
    const update = endBeforeDecision(listed, effects) ?? (await decideRound(listed, deps, effects));
    return { ...update, offered, ledger: [...ledger, ...(update.ledger ?? [])] };
  };
}

type DecisionUpdate = Omit<ExecutorUpdate, "ledger"> & { readonly ledger?: readonly LedgerEntry[] };

async function decideRound(state: ExecutorStateValue, deps: LlmDecisionDeps, effects: Effects): Promise<DecisionUpdate> {
  const { task, round, startedAt } = state;
  const since = effects.now();
  const timeoutMs = Math.floor(gatheringMsLeft({ task, startedAt }, effects) * DECISION_SHARE);
  const thread = threadView(state, { tools: toolboxWith(deps, state.offered), offered: callableNames(task.tools, state.offered) }, effects);
  const view = viewOf(state, thread, timeoutMs);
  const given = decisionOfRequest(state);
  const decided = given
    ? { decision: given, cached: false }
    : await decide(view, state.queries, deps, effects).catch((error: unknown) => budgetOfRefusal(toDossierError(error)));
  if ("spent" in decided) return { ...endLoop("budget", round, effects), spent: decided.spent, startedAt };
  const { decision, cached } = decided;
  const ledger = [...(decision.ledger ?? [])];
  // A ledger row means that the model failed. If the time ran out, the decision is dropped.
  const replaced = ledger.length > 0;
  const cutOff = replaced && timeoutMs - effects.elapsedMs(since) < CLOCK_SLACK_MS;
  const timeIsUp = gatheringMsLeft({ task, startedAt }, effects) === 0;
  const late = cutOff || (timeIsUp && (replaced || decision.calls.length > 0));
  const calls = late ? [] : [...decision.calls];
  const known = knownAddresses(state);
  const toolCalls = await effects.compute(CLEAN_TOOL_CALLS, calls, known);
  const { queries } = decision;
  const written = queries === undefined || late || task.queries !== undefined ? {} : { queries: [...queries] };
  effects.emit({
    type: "decision",
    round,
    toolsOffered: view.tools.map(({ name }) => name),
    resultsBySource: view.resultsBySource,
    toolCalls,
    ...(written.queries && { queries: written.queries.map((query) => shownQuery(query, known)) }),
    reason: decision.reason,
    cached,
  });
  if (late) return { ...endLoop("budget", round, effects), spent: "time_budget", ledger, startedAt };
  if (calls.length > 0) return { calls, ...written, ledger, startedAt };
  if (round > 0) return { ...endLoop("sufficient", round, effects), ...written, ledger, startedAt };
  const recalled = await recallShown(thread, known, deps.documents, effects);
  return { ...endLoop("no_tools", round, effects), ...written, hits: recalled.hits, ledger: [...ledger, ...recalled.ledger], startedAt };
}

/** Adds earlier results that the model was shown, because its report may be based on them. */
async function recallShown(thread: ThreadView, known: readonly string[], documents: DocumentStore, effects: Effects) {
  const usable = shownResults(thread).filter((result) => isReusable(result, thread));
  const finished = await Promise.all(
    usable.map(async (earlier): Promise<FinishedCall[]> => {
      const findings = await recall(earlier, documents, effects);
      const call = { id: "", name: earlier.name, arguments: earlier.arguments };
      return findings === null ? [] : [{ planned: { type: "recall", call, findings, earlier }, result: { ok: true, findings, ms: 0 } }];
    }),
  );
  const found = finished.flat();
  const hits = found.flatMap(hitsOf);
  emitFound([], hits, effects);
  return { hits, ledger: found.map((one) => ledgerEntryOf(one, known)) };
}

function endLoop(loopEnding: LoopEnding, rounds: number, effects: Effects): DecisionUpdate {
  effects.emit({ type: "loop-ended", reason: loopEnding, rounds });
  return { loopEnding, calls: [] };
}

function budgetOfRefusal(error: DossierError): { readonly spent: SpentBudget } {
  const spent = refusedBudget(error);
  if (spent === null) throw error;
  return { spent };
}

/** The first round makes the calls of the request, so no analyst is asked. */
function decisionOfRequest({ task: { calls }, round }: ExecutorStateValue): Decision | null {
  return round === 0 && calls !== undefined ? { calls, reason: "The request gives these calls." } : null;
}

async function decide(view: DecisionView, earlier: readonly PlannedQuery[], { analyst, memo }: LlmDecisionDeps, effects: Effects) {
  // The limits are not part of the key, so runs with other limits can share a decision.
  const { limits: _, timeoutMs: __, ...viewed } = view;
  const request = { analyst: analyst.name, view: viewed as unknown as JsonValue };
  const key = hashJson(request);
  const live = async (): Promise<Decision | null> => memo.get(key) ?? null;
  const known = await effects.perform({ kind: "memo", request, timeoutMs: MEMO_TIMEOUT_MS, live });
  if (known !== null) return { decision: known, cached: true };
  const decision = await analyst.decide(view, effects);
  if (decision.ledger === undefined && !lacksQueries(decision, earlier, view)) memo.set(key, decision);
  return { decision, cached: false };
}

/** Whether the words of the question would be searched for, although a model could write queries: the next run asks it again. */
function lacksQueries({ calls, queries = [] }: Decision, earlier: readonly PlannedQuery[], { models, sources }: DecisionView): boolean {
  return models !== null && sources !== undefined && calls.length + queries.length + earlier.length === 0;
}

function viewOf({ task, round, outcomes, hits, offered }: ExecutorStateValue, thread: ThreadView, timeoutMs: number): DecisionView {
  const best = mergeHits([], hits).slice(0, BEST_SHOWN).map(firstLines);
  const resultsBySource = countBySource(hits);
  const tools = thread.tools.describe(callableNames(task.tools, offered));
  const earlier = formatThreadResults(thread);
  const { sourceFacts: sources } = task;
  const offer = sources !== undefined && task.sources.length > 0 && task.queries === undefined && { sources };
  const needed = offer !== false && tools.length === 0 && needsQueries(task) && ({ needsQueries: true } as const);
  return {
    ...taskView(task),
    timeoutMs,
    round,
    tools,
    ...offer,
    ...needed,
    outcomes,
    resultsBySource,
    best,
    ...(earlier !== "" && { earlier }),
  };
}

/** The report takes these steps: the last decision, search, rerank, download, summarize. */
export const REPORT_STEPS = 5;
const STEPS_PER_ROUND = 2;
const STEPS_WITH_USER = 3;

function endBeforeDecision(state: ExecutorStateValue, effects: Effects): DecisionUpdate | null {
  const { task, round, outcomes, offered, startedAt } = state;
  const ended = (ending: LoopEnding, spent: SpentBudget | null) => ({ ...endLoop(ending, round, effects), spent, startedAt });
  if (round > 0 && isStuck(outcomes, round)) return ended("no_progress", null);
  if (round >= task.limits.optionalToolLoops) return ended("cap", null);
  if (gatheringMsLeft(state, effects) === 0) return ended("budget", "time_budget");
  const asksUser = (offered ?? []).some(({ confirm }) => confirm);
  const maxRounds = Math.floor((task.limits.steps - REPORT_STEPS) / (asksUser ? STEPS_WITH_USER : STEPS_PER_ROUND));
  return task.tools.length > 0 && round >= maxRounds ? ended("budget", "step_cap") : null;
}
