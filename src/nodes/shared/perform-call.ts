import type { ContentItem } from "../../domain/content.ts";
import { type Hit, sourceIdOf } from "../../domain/hit.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { DocumentStore } from "../../domain/ports/documents.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolCall, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";

/** What a tool brought: its text for the analyst, and what can be cited. */
export interface ToolFindings {
  readonly text: string;
  readonly hits: Hit[];
  /** A tool that stops the loop does not want to. */
  readonly shouldContinue?: boolean;
  /** What readers are shown beside the text. */
  readonly content?: readonly ContentItem[];
  /** What could not be looked up. */
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

/** Makes the call as one effect. A tool that fails is a result like any other; only the end of the run is thrown. */
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
    // A tool that ignores its signal must not store anything for a run that has gone on without it.
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
  // Where there is nothing but text, it is there already.
  const isMore = content.some(({ type }) => type !== "text");
  const more = { ...(isMore && { content }), ...(incomplete !== undefined && { incomplete }) };
  return { text, hits, ...(shouldContinue === true && { shouldContinue }), ...more };
}

/**
 * Records that something is about to be changed, and returns, when that is stored, what changes it: that throws `interrupted` where it
 * had been recorded before and only the result is missing, as the process ended in between.
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
