import { type ContentItem, isShown, type ShownItem } from "../../domain/content.ts";
import type { Hit } from "../../domain/hit.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { ThreadResult, ToolCall, ToolOutcome } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { sanitizeJson, sanitizeToolCall } from "../../evidence/sanitize-output.ts";
import type { CallResult } from "./perform-call.ts";
import type { PerformableCall, PlannedCall } from "./plan-calls.ts";

/** The most of a tool's text that a model is shown, in UTF-16 code units. Documents stay in the store. */
const MAX_OBSERVATION_LENGTH = 20_000;

/** The most of a ledger row's detail, in UTF-16 code units. */
const MAX_DETAIL_LENGTH = 500;

export interface FinishedCall<Result extends CallResult = CallResult> {
  readonly planned: PlannedCall;
  readonly result: Result | CallResult;
}

/**
 * Makes the calls of one round at the same time and emits what happens to each; equal calls are made once. Emitted text has only `known`
 * addresses.
 */
export function makeCalls<Result extends CallResult>(
  planned: readonly PlannedCall[],
  perform: (plan: PerformableCall) => Promise<Result>,
  effects: Effects,
  known: readonly string[],
): Promise<FinishedCall<Result>[]> {
  const performed = new Map<ToolCall, Promise<Result | CallResult>>();
  return Promise.all(planned.map((plan) => finish(plan, { perform, performed, effects, known })));
}

interface Round<Result> {
  readonly perform: (plan: PerformableCall) => Promise<Result>;
  /** Calls that were made, for equal calls of the same round. */
  readonly performed: Map<ToolCall, Promise<Result | CallResult>>;
  readonly effects: Effects;
  readonly known: readonly string[];
}

async function finish<Result extends CallResult>(planned: PlannedCall, round: Round<Result>): Promise<FinishedCall<Result>> {
  const { effects, known } = round;
  const { name, arguments: args, id } = sanitizeToolCall(planned.call, known);
  if (planned.type === "perform") effects.emit({ type: "tool-started", tool: name, arguments: args, callId: id });
  const result = await resultOf(planned, round);
  const isNew = planned.type === "perform" || planned.type === "recall";
  const content = isNew && result.ok ? (result.findings.content ?? []).map((item) => shownItem(item, known)) : [];
  effects.emit({
    type: "tool-ended",
    tool: name,
    arguments: args,
    callId: id,
    ok: result.ok,
    results: result.ok ? result.findings.hits.length : 0,
    error: result.ok ? null : { code: result.error.code, message: stripUnknownAddresses(result.error.message, known) },
    durationMs: result.ms,
    reused: isReused(planned),
    ...(planned.type === "recall" && { from: { run: planned.earlier.run, at: planned.earlier.at } }),
    ...(content.length > 0 && { content }),
  });
  for (const item of content.filter(isShown)) effects.emit({ type: "component", ...componentOf(item), partial: false, tool: name });
  return { planned, result };
}

/** Removes unknown addresses. HTML stays as it is, marked as untrusted. */
function shownItem(item: ContentItem, known: readonly string[]): ContentItem {
  return "html" in item ? item : (sanitizeJson(item as JsonValue, known) as ContentItem);
}

function componentOf(item: ShownItem): { readonly component: string; readonly props: JsonValue } {
  if ("html" in item) return { component: "webcomponent", props: { html: item.html, untrusted: item.untrusted } };
  const props = item.props as JsonValue;
  return item.type === "component" ? { component: item.component, props } : { component: "webcomponent", props: { tag: item.tag, props } };
}

function resultOf<Result extends CallResult>(planned: PlannedCall, { perform, performed }: Round<Result>): Promise<Result | CallResult> {
  if (planned.type === "refuse") return Promise.resolve({ ok: false, error: new DossierError(planned.code, planned.message), ms: 0 });
  if (planned.type === "reuse") return Promise.resolve({ ok: true, findings: { text: planned.earlier.observation, hits: [] }, ms: 0 });
  if (planned.type === "recall") {
    const result: CallResult = { ok: true, findings: planned.findings, ms: 0 };
    performed.set(planned.call, Promise.resolve(result));
    return Promise.resolve(result);
  }
  if (planned.type === "repeat")
    return performed.get(planned.first) ?? Promise.reject(new DossierError("internal", "A repeated call has no first one."));
  const result = perform(planned);
  performed.set(planned.call, result);
  return result;
}

function isReused(planned: PlannedCall): boolean {
  return planned.type === "reuse" || planned.type === "repeat" || planned.type === "recall";
}

export function hitsOf({ planned, result }: FinishedCall): readonly Hit[] {
  return result.ok && (planned.type === "perform" || planned.type === "recall") ? result.findings.hits : [];
}

/** Adds new hits to `known`, so a hit that two calls of a round found counts as new once. */
export function outcomeOf({ planned, result }: FinishedCall, round: number, known: Set<string>): ToolOutcome {
  const { name, arguments: args } = planned.call;
  const hits = hitsOf({ planned, result });
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
    // The result of an earlier run is new to this one.
    reused: isReused(planned) && planned.type !== "recall",
    results,
    newResults: fresh.length,
    observation,
    failure,
  };
}

export function ledgerEntryOf({ planned, result }: FinishedCall, known: readonly string[]): LedgerEntry {
  const { name, arguments: args } = sanitizeToolCall(planned.call, known);
  const entry = { what: "tool" as const, source: name, target: JSON.stringify(args), ms: result.ms };
  if (!result.ok) {
    const { code, message } = result.error;
    return { ...entry, outcome: "failed", results: 0, failure: code, detail: stripUnknownAddresses(message, known) };
  }
  const results = result.findings.hits.length;
  if (isReused(planned))
    return { ...entry, outcome: "reused", results, failure: null, detail: planned.type === "recall" ? originOf(planned.earlier) : null };
  const { incomplete } = result.findings;
  const missing = incomplete === undefined ? null : stripUnknownAddresses(incomplete, known).slice(0, MAX_DETAIL_LENGTH).toWellFormed();
  if (results > 0) return { ...entry, outcome: "found", results, failure: null, detail: missing };
  return {
    ...entry,
    outcome: "nothing",
    results,
    failure: null,
    detail: stripUnknownAddresses(result.findings.text, known).slice(0, MAX_DETAIL_LENGTH).toWellFormed() || null,
  };
}

function originOf({ at, run }: ThreadResult): string {
  return `${new Date(at).toISOString()}, run ${run}`;
}
