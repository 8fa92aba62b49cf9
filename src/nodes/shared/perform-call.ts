import type { ContentItem } from "../../domain/content.ts";
import { type Hit, sourceIdOf } from "../../domain/hit.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolCall, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";

/** The result of a tool: its text for the model, and the sources that can be cited. */
export interface ToolFindings {
  readonly text: string;
  readonly hits: Hit[];
  /** Set by a stop tool that declines to stop. */
  readonly shouldContinue?: boolean;
  readonly content?: readonly ContentItem[];
  readonly incomplete?: string;
}

export type CallResult =
  | { readonly ok: true; readonly findings: ToolFindings; readonly ms: number }
  | { readonly ok: false; readonly error: DossierError; readonly ms: number };

const INTENT_TIMEOUT_MS = 1_000;

interface CallOptions {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: unknown;
  readonly timeoutMs: number;
  readonly runId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly scope: readonly string[];
  readonly documents: DocumentStore;
}

/** Makes the call as one effect. A failure of the tool is a result; only the end of the run is thrown. */
export async function performCall(
  { call, tool, input, timeoutMs, runId, metadata, scope, documents }: CallOptions,
  effects: Effects,
): Promise<CallResult> {
  const startedAt = effects.now();
  const request = { tool: tool.name, arguments: call.arguments };
  const make = async (signal: AbortSignal): Promise<ToolFindings> => {
    const result = await tool.call(input, { runId, metadata, scope, signal }).catch((error: unknown) => {
      throw toDossierError(error, "tool_failed");
    });
    // The run has gone on without a tool that ignores its signal: store nothing for it.
    signal.throwIfAborted();
    const hits = await Promise.all(result.sources.map((source) => toHit(source, tool.name, runId, documents)));
    return findingsOf(result, hits);
  };
  try {
    const live = tool.kind === "mutation" ? await onlyOnce(make, request, effects) : make;
    const findings = await effects.perform({ kind: "tool", request, timeoutMs, live });
    return { ok: true, findings, ms: effects.elapsedMs(startedAt) };
  } catch (error) {
    effects.signal.throwIfAborted();
    return { ok: false, error: toDossierError(error), ms: effects.elapsedMs(startedAt) };
  }
}

function findingsOf({ text, shouldContinue, content = [], incomplete }: ToolResult, hits: Hit[]): ToolFindings {
  // Text alone is in `text` already.
  const isMore = content.some(({ type }) => type !== "text");
  const more = { ...(isMore && { content }), ...(incomplete !== undefined && { incomplete }) };
  return { text, hits, ...(shouldContinue === true && { shouldContinue }), ...more };
}

/**
 * Records durably that a mutation is about to be made, and returns it. If a crash followed that record, it throws `interrupted` and does
 * not make it again.
 */
async function onlyOnce<T>(
  make: (signal: AbortSignal) => Promise<T>,
  request: JsonValue,
  effects: Effects,
): Promise<(signal: AbortSignal) => Promise<T>> {
  let fresh = false;
  const live = async (): Promise<true> => {
    fresh = true;
    return true;
  };
  await effects.perform({ kind: "intent", request, timeoutMs: INTENT_TIMEOUT_MS, durable: true, live });
  return async (signal) => {
    if (fresh) return make(signal);
    throw new DossierError(
      "interrupted",
      "The process ended while it was called. Whether it was done is not known; it was not called again.",
    );
  };
}

async function toHit(source: ToolSource, foundBy: string, runId: string, documents: DocumentStore): Promise<Hit> {
  const { title, url, publishedAt, snippet, text, kind = "tool" } = source;
  const hit = { id: sourceIdOf(url), kind, title, url, publishedAt, foundBy, snippet };
  if (text === null) return { ...hit, contentHash: null };
  const blocks = source.blocks ?? [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const stored = await documents.put(runId, { text, title, url, language: null, publishedAt, author: null, blocks });
  return { ...hit, contentHash: stored.contentHash };
}
