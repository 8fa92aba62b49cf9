import { type ContentItem, isShown, type ShownItem } from "../../domain/content.ts";
import { boundHit, type Hit, inertAddress, sourceIdOf } from "../../domain/hit.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects, KeptReplies } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { scopeOf, type Task } from "../../domain/task.ts";
import type { ToolCall, ToolOutcome, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError, storedError, toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { CLEAN_TOOL_CALLS, sanitizeJson, sanitizeToolCall } from "../../evidence/sanitize-output.ts";
import type { CallResult, PerformableCall, PlannedCall, ToolFindings } from "../../gathering/plan-calls.ts";

/** Maximum lengths, in UTF-16 code units, of a tool's text in the journal, of the part that a model reads, and of a ledger row's detail. */
const MAX_TEXT_LENGTH = 100_000;
const MAX_OBSERVATION_LENGTH = 20_000;
const MAX_DETAIL_LENGTH = 500;
const INTENT_TIMEOUT_MS = 1_000;

export interface FinishedCall<Result extends CallResult = CallResult> {
  readonly planned: PlannedCall;
  readonly result: Result | CallResult;
}

interface CallOptions<Result> {
  readonly perform: (plan: PerformableCall) => Promise<Result>;
  readonly effects: Effects;
  readonly known: readonly string[];
}

export async function makeCalls<Result extends CallResult>(
  planned: readonly PlannedCall[],
  calling: CallOptions<Result>,
): Promise<FinishedCall<Result>[]> {
  const performed = new Map<ToolCall, Promise<Result | CallResult>>();
  const calls = planned.map(({ call }) => call);
  // All calls begin together, so that their events come in the same order at every time.
  const shown = await calling.effects.compute(CLEAN_TOOL_CALLS, calls, calling.known);
  return Promise.all(planned.map((plan, at) => finishCall(plan, shown[at] ?? plan.call, performed, calling)));
}

async function finishCall<Result extends CallResult>(
  planned: PlannedCall,
  { name, arguments: args, id }: ToolCall,
  performed: Map<ToolCall, Promise<Result | CallResult>>,
  { perform, effects, known }: CallOptions<Result>,
): Promise<FinishedCall<Result>> {
  const call = { tool: name, arguments: args, callId: id };
  if (planned.type === "perform") effects.emit({ type: "tool-started", ...call });
  const result = await resultOf(planned, performed, perform);
  const isNew = planned.type === "perform" || planned.type === "recall";
  const content = isNew && result.ok ? (result.findings.content ?? []).map((item) => shownItem(item, known)) : [];
  effects.emit({
    type: "tool-ended",
    ...call,
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

/** HTML stays unchanged, because clients receive it marked as untrusted. */
function shownItem(item: ContentItem, known: readonly string[]): ContentItem {
  const { html, ...others } = item as ContentItem & { readonly html?: string };
  const shown = sanitizeJson(others as JsonValue, known) as ContentItem;
  return html === undefined ? shown : ({ ...shown, html } as ContentItem);
}

function componentOf(item: ShownItem): { readonly component: string; readonly props: JsonValue } {
  const { type, ...element } = item;
  return item.type === "component"
    ? { component: item.component, props: item.props as JsonValue }
    : { component: type, props: element as JsonValue };
}

function resultOf<Result extends CallResult>(
  planned: PlannedCall,
  performed: Map<ToolCall, Promise<Result | CallResult>>,
  perform: CallOptions<Result>["perform"],
): Promise<Result | CallResult> {
  if (planned.type === "refuse") return Promise.resolve({ ok: false, error: new DossierError(planned.code, planned.message), ms: 0 });
  if (planned.type === "reuse" && !planned.earlier.ok) return Promise.resolve({ ok: false, error: failedBefore(planned.earlier), ms: 0 });
  if (planned.type === "reuse") return Promise.resolve({ ok: true, findings: { text: planned.earlier.observation, hits: [] }, ms: 0 });
  if (planned.type === "repeat")
    return (
      performed.get(planned.first) ??
      Promise.reject(new DossierError("internal", "A call is planned as the repetition of a call that was not made."))
    );
  const result = planned.type === "recall" ? Promise.resolve({ ok: true, findings: planned.findings, ms: 0 } as const) : perform(planned);
  performed.set(planned.call, result);
  return result;
}

/** The error of a call that is not made a third time. */
export function failedBefore({ failure, observation }: ToolOutcome): DossierError {
  return storedError({ code: failure ?? "tool_failed", message: `An equal call failed twice, so it was not made again. ${observation}` });
}

function isReused(planned: PlannedCall): boolean {
  return planned.type === "reuse" || planned.type === "repeat" || planned.type === "recall";
}

export function hitsOf({ planned, result }: FinishedCall): readonly Hit[] {
  return result.ok && (planned.type === "perform" || planned.type === "recall") ? result.findings.hits : [];
}

/** Adds the hits of the call to `known`, so that later calls do not count them as new. */
export function outcomeOf({ planned, result }: FinishedCall, round: number, known: Set<string>): ToolOutcome {
  const { name, arguments: args } = planned.call;
  const hits = hitsOf({ planned, result });
  const fresh = hits.filter((hit) => !known.has(hit.id));
  for (const hit of fresh) known.add(hit.id);
  return {
    round,
    name,
    arguments: args,
    ok: result.ok,
    reused: isReused(planned) && planned.type !== "recall",
    results: planned.type === "reuse" ? planned.earlier.results : hits.length,
    newResults: fresh.length,
    observation: result.ok ? result.findings.text.slice(0, MAX_OBSERVATION_LENGTH) : `${result.error.code}: ${result.error.message}`,
    failure: result.ok ? null : result.error.code,
  };
}

export function ledgerEntryOf({ planned, result }: FinishedCall, known: readonly string[]): LedgerEntry {
  const { name, arguments: args } = sanitizeToolCall(planned.call, known);
  const entry = { what: "tool" as const, source: name, target: JSON.stringify(args), ms: result.ms };
  if (!result.ok) {
    const { code, message } = result.error;
    return { ...entry, outcome: "failed", results: 0, failure: code, detail: stripUnknownAddresses(message, known) };
  }
  const { hits, incomplete, text } = result.findings;
  const done = { ...entry, results: hits.length, failure: null };
  const origin = planned.type === "recall" ? `${new Date(planned.earlier.at).toISOString()}, run ${planned.earlier.run}` : null;
  if (isReused(planned)) return { ...done, outcome: "reused", detail: origin };
  const shown = (detail: string): string => stripUnknownAddresses(detail.slice(0, MAX_DETAIL_LENGTH).toWellFormed(), known);
  if (hits.length === 0) return { ...done, outcome: "nothing", detail: shown(text) || null };
  return { ...done, outcome: "found", detail: incomplete === undefined ? null : shown(incomplete) };
}

interface CallContext {
  readonly task: Task;
  readonly documents: DocumentStore;
  readonly effects: Effects;
}

/** Makes a tool call within `limitMs` and the tool's time limit. A failure of the tool is returned, not thrown. */
export async function performCall({ call, tool, input }: PerformableCall, limitMs: number, context: CallContext): Promise<CallResult> {
  const { task, documents, effects } = context;
  const { runId } = effects;
  const startedAt = effects.now();
  const request = { tool: tool.name, arguments: call.arguments };
  const make: Make = async (signal, replies, idempotencyKey): Promise<ToolFindings> => {
    const origin = { runId, metadata: task.metadata, scope: scopeOf(task), signal, replies, ...(idempotencyKey && { idempotencyKey }) };
    const result = await tool.call(input, origin).catch((error: unknown) => {
      throw toDossierError(error, "tool_failed");
    });
    // A tool may ignore its signal and return too late. Its result is then dropped.
    signal.throwIfAborted();
    const hits = await Promise.all(result.sources.map((source) => toHit(source, tool.name, runId, documents)));
    return findingsOf(result, hits);
  };
  try {
    const live =
      tool.kind === "mutation"
        ? await guardMutation(make, request, effects)
        : (signal: AbortSignal, replies: KeptReplies) => make(signal, replies);
    const findings = await effects.perform({ kind: "tool", request, timeoutMs: Math.min(tool.timeoutMs, limitMs), live });
    return { ok: true, findings, ms: effects.elapsedMs(startedAt) };
  } catch (error) {
    effects.signal.throwIfAborted();
    return { ok: false, error: toDossierError(error), ms: effects.elapsedMs(startedAt) };
  }
}

function findingsOf({ text, shouldContinue, summary, content = [], incomplete }: ToolResult, hits: Hit[]): ToolFindings {
  // `text` already contains the items of type text.
  const isMore = content.some(({ type }) => type !== "text");
  const more = { ...(isMore && { content }), ...(incomplete !== undefined && { incomplete: incomplete.slice(0, MAX_DETAIL_LENGTH) }) };
  const shorter = summary && { summary: summary.slice(0, MAX_TEXT_LENGTH).toWellFormed() };
  return {
    text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
    hits,
    ...(shouldContinue === true && { shouldContinue }),
    ...shorter,
    ...more,
  };
}

type Make = (signal: AbortSignal, replies?: KeptReplies, idempotencyKey?: string) => Promise<ToolFindings>;

/**
 * Records the intent before a mutation, with a key by which the other side can tell a call that reaches it twice. If the process ends during
 * the call, the call fails with `interrupted` and is not repeated.
 */
async function guardMutation(make: Make, request: JsonValue, effects: Effects): Promise<(signal: AbortSignal) => Promise<ToolFindings>> {
  let key: string | null = null;
  const live = async (): Promise<string> => {
    key = crypto.randomUUID();
    return key;
  };
  await effects.perform({ kind: "intent", request, timeoutMs: INTENT_TIMEOUT_MS, durable: true, live });
  return async (signal) => {
    if (key !== null) return make(signal, undefined, key);
    const message = "The process ended during this call. Whether the call took effect is unknown, so it was not repeated.";
    throw new DossierError("interrupted", message);
  };
}

async function toHit(source: ToolSource, foundBy: string, runId: string, documents: DocumentStore): Promise<Hit> {
  const { title, publishedAt, snippet, text, kind = "tool", site } = source;
  const url = inertAddress(source.url);
  const hit = boundHit({
    id: sourceIdOf(url),
    kind,
    title,
    url,
    publishedAt,
    foundBy,
    snippet,
    contentHash: null,
    ...(site !== undefined && { site }),
  });
  if (text === null) return hit;
  const blocks = source.blocks ?? [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const stored = await documents.put(runId, {
    text,
    title: hit.title,
    url,
    language: null,
    publishedAt: hit.publishedAt,
    author: null,
    blocks,
  });
  return { ...hit, contentHash: stored.contentHash };
}
