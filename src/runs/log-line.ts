import type { DomainEvent } from "../domain/events.ts";
import type { JsonValue } from "../domain/json.ts";

/** The maximum length of logged arguments, in UTF-16 code units of JSON. */
const MAX_ARGUMENTS = 1_000;

export interface LogLine {
  readonly level: "info" | "warn";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function logLineOf(event: DomainEvent): LogLine | null {
  switch (event.type) {
    case "decision":
      return decisionLine(event);
    case "queries-rewritten":
      return info("queries rewritten", { queries: event.queries, from: event.from, relevance: event.relevance });
    case "tool-started":
      return info("tool started", { tool: event.tool, arguments: shorten(event.arguments) });
    case "tool-ended":
      return toolLine(event);
    case "round-ended":
      return info("round ended", { round: event.round, results: event.results, totalResults: event.totalResults });
    case "loop-ended":
      return info("loop ended", { reason: event.reason, rounds: event.rounds });
    case "source-failed":
      return warn("source failed", { source: event.source, failure: event.failure, detail: event.message });
    case "rerank-failed":
      return warn("rerank failed", { ranker: event.ranker, failure: event.failure, detail: event.message });
    case "document-failed":
      return warn("document failed", { url: event.url, failure: event.failure, detail: event.message, fallback: event.fallback });
    case "usage":
      return info("model called", { model: event.model, ...event.usage, costUsd: event.costUsd, calls: event.spent.modelCalls });
    case "call-waiting":
      return info("model call waits", { callId: event.callId, try: event.try, ahead: event.ahead });
    case "call-restarted":
      return warn("model asked again", { callId: event.callId, try: event.try, reason: event.reason });
    case "model-failed":
      return warn("model failed", { model: event.model, failure: event.failure, detail: event.message, fallback: event.fallback });
    case "run-waiting":
      return info("run waiting", { pending: event.pending.map(({ id, kind }) => ({ id, kind })) });
    case "run-ended":
      return info("run ended", { status: event.status, reason: event.termination.reason, detail: event.termination.detail });
    default:
      return null;
  }
}

const info = (message: string, fields: LogLine["fields"]): LogLine => ({ level: "info", message, fields });
const warn = (message: string, fields: LogLine["fields"]): LogLine => ({ level: "warn", message, fields });

type Event<Type extends DomainEvent["type"]> = Extract<DomainEvent, { type: Type }>;

function decisionLine({ round, toolsOffered, resultsBySource, toolCalls, reason, cached }: Event<"decision">): LogLine {
  const totalResults = Object.values(resultsBySource).reduce((sum, count) => sum + count, 0);
  const calls = toolCalls.map(({ name, arguments: args }) => ({ tool: name, arguments: shorten(args) }));
  return info("decision", { round, toolsOffered, resultsBySource, totalResults, calls, reason, cached });
}

function toolLine({ tool, arguments: args, ok, results, reused, from, durationMs, error }: Event<"tool-ended">): LogLine {
  const more = { ...(from !== undefined && { from }), ...(error !== null && { error: error.code }) };
  const fields = { tool, arguments: shorten(args), ok, results, reused, durationMs, ...more };
  return ok ? info("tool ended", fields) : warn("tool failed", fields);
}

function shorten(args: JsonValue): JsonValue {
  const json = JSON.stringify(args);
  return json.length <= MAX_ARGUMENTS ? args : `${json.slice(0, MAX_ARGUMENTS).toWellFormed()}…`;
}
