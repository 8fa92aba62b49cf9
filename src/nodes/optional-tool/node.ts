import { failureOf } from "../../domain/failure.ts";
import type { Hit } from "../../domain/hit.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { GraphNode } from "../../domain/ports/node.ts";
import type { Toolbox } from "../../domain/ports/tool.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { scopeOf } from "../../domain/request.ts";
import type { ToolCall, ToolOutcome } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "../../graphs/executor/state.ts";
import { emitFound } from "../emit-found.ts";
import { gatheringMsLeft } from "../time-budget.ts";
import { type CallResult, performCall } from "./perform-call.ts";
import { type PlannedCall, planCalls } from "./plan-calls.ts";

export interface OptionalToolDeps {
  readonly tools: Toolbox;
  readonly documents: DocumentStore;
  /** Milliseconds all calls of one round may take together; they are made at the same time. */
  readonly roundTimeoutMs: number;
}

/** The most of a tool's text that an analyst is shown, in UTF-16 code units; what can be cited lies in the document store. */
const MAX_OBSERVATION_LENGTH = 20_000;

/** The most that the ledger tells of where a tool looked in vain, in UTF-16 code units. */
const MAX_DETAIL_LENGTH = 500;

/** One call of the round after it was dealt with. */
interface Finished {
  readonly planned: PlannedCall;
  readonly result: CallResult;
}

/** Makes the calls of one round at the same time. A tool that fails never fails the run, and nothing found before is lost. */
export function createOptionalToolNode(deps: OptionalToolDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const round = state.round + 1;
    const planned = planCalls(state.calls, state.task.tools, deps.tools, state.outcomes);
    const performed = new Map<ToolCall, Promise<CallResult>>();
    const timeoutMs = Math.max(1, Math.min(deps.roundTimeoutMs, gatheringMsLeft(state, effects)));
    const finished = await Promise.all(planned.map((plan) => finish(plan, { state, deps, effects, performed, timeoutMs })));
    const hits = finished.flatMap(({ planned, result }) => (planned.type === "perform" && result.ok ? result.findings.hits : []));
    const known = new Set(state.hits.map((hit) => hit.id));
    const outcomes = finished.map((entry) => outcomeOf(entry, round, known));
    const totalResults = emitFound(state.hits, hits, effects);
    effects.emit({ type: "round-ended", round, results: hits.length, totalResults });
    return { round, calls: [], outcomes, hits, ledger: finished.map(ledgerEntryOf) };
  };
}

interface RoundContext {
  readonly state: ExecutorStateValue;
  readonly deps: OptionalToolDeps;
  readonly effects: Effects;
  /** Calls that are made once and asked for several times. */
  readonly performed: Map<ToolCall, Promise<CallResult>>;
  readonly timeoutMs: number;
}

async function finish(planned: PlannedCall, round: RoundContext): Promise<Finished> {
  const { effects } = round;
  const { name, arguments: args, id } = planned.call;
  if (planned.type === "perform") effects.emit({ type: "tool-started", tool: name, arguments: args, callId: id });
  const result = await resultOf(planned, round);
  effects.emit({
    type: "tool-ended",
    tool: name,
    arguments: args,
    callId: id,
    ok: result.ok,
    results: result.ok ? result.findings.hits.length : 0,
    error: result.ok ? null : { code: result.error.code, message: result.error.message },
    durationMs: result.ms,
    reused: isReused(planned),
  });
  return { planned, result };
}

function resultOf(planned: PlannedCall, { state, deps, effects, performed, timeoutMs }: RoundContext): Promise<CallResult> {
  if (planned.type === "refuse") return Promise.resolve({ ok: false, error: new DossierError(planned.code, planned.message), ms: 0 });
  if (planned.type === "reuse") return Promise.resolve({ ok: true, findings: { text: planned.earlier.observation, hits: [] }, ms: 0 });
  if (planned.type === "repeat")
    return performed.get(planned.first) ?? Promise.reject(new DossierError("internal", "A repeated call has no first one."));
  const { call, tool, input } = planned;
  const { metadata } = state.task;
  const limitMs = Math.min(tool.timeoutMs, timeoutMs);
  const result = performCall(
    { call, tool, input, timeoutMs: limitMs, runId: effects.runId, metadata, scope: scopeOf(state.task), documents: deps.documents },
    effects,
  );
  performed.set(call, result);
  return result;
}

function isReused(planned: PlannedCall): boolean {
  return planned.type === "reuse" || planned.type === "repeat";
}

/** `known` grows with every outcome, so that what two calls of a round found counts as new once. */
function outcomeOf({ planned, result }: Finished, round: number, known: Set<string>): ToolOutcome {
  const { name, arguments: args } = planned.call;
  const hits: readonly Hit[] = result.ok && planned.type === "perform" ? result.findings.hits : [];
  const fresh = hits.filter((hit) => !known.has(hit.id));
  for (const hit of fresh) known.add(hit.id);
  const results = planned.type === "reuse" ? planned.earlier.results : hits.length;
  const failure = result.ok ? null : result.error.code;
  const observation = result.ok ? result.findings.text.slice(0, MAX_OBSERVATION_LENGTH) : `${result.error.code}: ${result.error.message}`;
  return {
    round,
    name,
    arguments: args,
    ok: result.ok,
    reused: isReused(planned),
    results,
    newResults: fresh.length,
    observation,
    failure,
  };
}

function ledgerEntryOf({ planned, result }: Finished): LedgerEntry {
  const { name, arguments: args } = planned.call;
  const entry = { what: "tool" as const, source: name, target: JSON.stringify(args), ms: result.ms };
  if (!result.ok) {
    const refused = planned.type === "refuse";
    const failure = refused ? result.error.code : failureOf(result.error, "unreachable");
    return { ...entry, outcome: "failed", results: 0, failure, detail: result.error.message };
  }
  const results = result.findings.hits.length;
  if (isReused(planned)) return { ...entry, outcome: "reused", results, failure: null, detail: null };
  if (results > 0) return { ...entry, outcome: "found", results, failure: null, detail: null };
  return {
    ...entry,
    outcome: "nothing",
    results,
    failure: null,
    detail: result.findings.text.slice(0, MAX_DETAIL_LENGTH).toWellFormed() || null,
  };
}
