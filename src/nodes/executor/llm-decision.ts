import { refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import type { LoopEnding } from "../../domain/events.ts";
import { type Hit, mergeHits } from "../../domain/hit.ts";
import { hashJson, type JsonValue } from "../../domain/json.ts";
import type { Analyst, Decision, DecisionMemo, DecisionView } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { type DossierError, toDossierError } from "../../errors.ts";
import { sanitizeToolCall } from "../../evidence/sanitize-output.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import { type FinishedCall, hitsOf, ledgerEntryOf } from "../shared/make-calls.ts";
import { isStuck } from "../shared/plan-calls.ts";
import { countBySource, emitFound, knownAddresses } from "../shared/sources.ts";
import { formatThreadResults, isReusable, recall, shownResults, type ThreadView, threadView } from "../shared/thread-results.ts";
import { callableNames, listOffered, type ToolDeps, toolboxWith } from "../shared/tool-servers.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface LlmDecisionDeps extends ToolDeps {
  readonly documents: DocumentStore;
  readonly analyst: Analyst;
  readonly memo: DecisionMemo;
}

/** How many of the best results a model is shown, and how much of each. */
const BEST_SHOWN = 8;
const FIRST_LINE_LENGTH = 200;
/** The most of the gathering time that one decision may take. */
const DECISION_SHARE = 0.5;
/** Timers and the run's clock may differ by this much. */
const CLOCK_SLACK_MS = 50;
const MEMO_TIMEOUT_MS = 1_000;

/** Asks the analyst which optional tools to call, and ends the loop when none are left to call. */
export function createLlmDecisionNode(deps: LlmDecisionDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const started = { ...state, startedAt: state.startedAt || effects.now() };
    const early = earlyEnding(started, effects);
    if (early !== null) return early;
    const { offered, ledger } = await listOffered(started, deps.servers, effects, gatheringMsLeft(started, effects));
    const listed = { ...started, offered };
    const update = earlyEnding(listed, effects) ?? (await decideRound(listed, deps, effects));
    return { ...update, offered, ledger: [...ledger, ...(update.ledger ?? [])] };
  };
}

type DecisionUpdate = Omit<ExecutorUpdate, "ledger"> & { readonly ledger?: readonly LedgerEntry[] };

function earlyEnding(state: ExecutorStateValue, effects: Effects): DecisionUpdate | null {
  const { round, startedAt } = state;
  const early = endingBeforeDecision(state, gatheringMsLeft(state, effects));
  return early === null ? null : { ...endLoop(early.ending, round, effects), spent: early.spent, startedAt };
}

async function decideRound(state: ExecutorStateValue, deps: LlmDecisionDeps, effects: Effects): Promise<DecisionUpdate> {
  const { task, round, startedAt } = state;
  const since = effects.now();
  const timeoutMs = Math.floor(gatheringMsLeft({ task, startedAt }, effects) * DECISION_SHARE);
  const thread = threadView(state, { tools: toolboxWith(deps, state.offered), offered: callableNames(task.tools, state.offered) }, effects);
  const view = viewOf(state, thread, timeoutMs);
  const decided = await decide(view, deps, effects).catch((error: unknown) => unpaid(toDossierError(error)));
  if ("spent" in decided) return { ...endLoop("budget", round, effects), spent: decided.spent, startedAt };
  const { decision, cached } = decided;
  const ledger = [...(decision.ledger ?? [])];
  // A run without time left makes no calls and decides nothing more.
  const late = isLate(decision, { since, timeoutMs, leftMs: gatheringMsLeft({ task, startedAt }, effects) }, effects);
  const calls = late ? [] : [...decision.calls];
  const toolsOffered = view.tools.map((tool) => tool.name);
  const { resultsBySource } = view;
  const known = knownAddresses(state);
  const toolCalls = calls.map((call) => sanitizeToolCall(call, known));
  effects.emit({ type: "decision", round, toolsOffered, resultsBySource, toolCalls, reason: decision.reason, cached });
  if (late) return { ...endLoop("budget", round, effects), spent: "time_budget", ledger, startedAt };
  const ending = endingAfterDecision(calls, round);
  if (ending === null) return { calls, ledger, startedAt };
  const recalled = ending === "no_tools" ? await recallShown(thread, known, deps.documents, effects) : NOTHING_RECALLED;
  return { ...endLoop(ending, round, effects), hits: recalled.hits, ledger: [...ledger, ...recalled.ledger], startedAt };
}

const NOTHING_RECALLED: { readonly hits: Hit[]; readonly ledger: LedgerEntry[] } = { hits: [], ledger: [] };

/** A model that was shown earlier tool results and needs no tool may base its report on them. */
async function recallShown(
  thread: ThreadView,
  known: readonly string[],
  documents: DocumentStore,
  effects: Effects,
): Promise<typeof NOTHING_RECALLED> {
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

/** Whether the time ran out during the decision, or is too short for what was decided. */
function isLate(
  { calls, ledger = [] }: Decision,
  { since, timeoutMs, leftMs }: { readonly since: number; readonly timeoutMs: number; readonly leftMs: number },
  effects: Effects,
): boolean {
  const replaced = ledger.length > 0;
  return (replaced && timeoutMs - effects.elapsedMs(since) < CLOCK_SLACK_MS) || (leftMs === 0 && (replaced || calls.length > 0));
}

function endLoop(loopEnding: LoopEnding, rounds: number, effects: Effects): DecisionUpdate {
  effects.emit({ type: "loop-ended", reason: loopEnding, rounds });
  return { loopEnding, calls: [] };
}

/** Ends the gathering if no budget pays for a decision. @throws anything else */
function unpaid(error: DossierError): { readonly spent: SpentBudget } {
  const spent = refusedBudget(error);
  if (spent === null) throw error;
  return { spent };
}

/** Reuses the decision on an equal view, or asks the analyst. */
async function decide(
  view: DecisionView,
  { analyst, memo }: LlmDecisionDeps,
  effects: Effects,
): Promise<{ decision: Decision; cached: boolean }> {
  // Limits do not make it another decision.
  const { limits: _, timeoutMs: __, ...viewed } = view;
  const request = { analyst: analyst.name, view: viewed as unknown as JsonValue };
  const key = hashJson(request);
  const known = await effects.perform<Decision | null>({
    kind: "memo",
    request,
    timeoutMs: MEMO_TIMEOUT_MS,
    live: async () => memo.get(key) ?? null,
  });
  if (known !== null) return { decision: known, cached: true };
  const decision = await analyst.decide(view, effects);
  if (decision.ledger === undefined) memo.set(key, decision);
  return { decision, cached: false };
}

function viewOf({ task, round, outcomes, hits, offered }: ExecutorStateValue, thread: ThreadView, timeoutMs: number): DecisionView {
  const { question, language, systemContext, history, models, limits } = task;
  const best = mergeHits([], hits)
    .slice(0, BEST_SHOWN)
    .map(({ title, publishedAt, snippet }) => ({ title, publishedAt, firstLine: firstLineOf(snippet) }));
  const resultsBySource = countBySource(hits);
  const asked = { question, language, systemContext, history, models, limits, timeoutMs };
  const tools = thread.tools.describe(callableNames(task.tools, offered));
  const earlier = formatThreadResults(thread);
  return { ...asked, round, tools, outcomes, resultsBySource, best, ...(earlier !== "" && { earlier }) };
}

function firstLineOf(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, FIRST_LINE_LENGTH);
}

/** The steps of the report: the last decision, search, rerank, download, summarize. */
export const REPORT_STEPS = 5;
/** A decision and its calls; the user's consent may come between them. */
const STEPS_PER_ROUND = 2;
const STEPS_WITH_USER = 3;

interface EarlyEnding {
  readonly ending: LoopEnding;
  readonly spent: SpentBudget | null;
}

/** Why the loop ends before another decision, or null. A decision at the cap would be paid for nothing. */
function endingBeforeDecision({ task, round, outcomes, offered }: ExecutorStateValue, msLeft: number): EarlyEnding | null {
  if (round > 0 && isStuck(outcomes, round)) return { ending: "no_progress", spent: null };
  if (round >= task.limits.optionalToolLoops) return { ending: "cap", spent: null };
  if (msLeft === 0) return { ending: "budget", spent: "time_budget" };
  const asksUser = (offered ?? []).some(({ confirm }) => confirm);
  // Without tools there are no rounds to cut short.
  if (task.tools.length > 0 && round >= roundsWithin(task.limits.steps, asksUser)) return { ending: "budget", spent: "step_cap" };
  return null;
}

/** Why the loop ends after a decision, or null if there are calls to make. */
function endingAfterDecision(calls: readonly ToolCall[], round: number): LoopEnding | null {
  if (calls.length > 0) return null;
  return round === 0 ? "no_tools" : "sufficient";
}

function roundsWithin(steps: number, asksUser: boolean): number {
  return Math.max(0, Math.floor((steps - REPORT_STEPS) / (asksUser ? STEPS_WITH_USER : STEPS_PER_ROUND)));
}
