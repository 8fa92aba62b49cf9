import type { DomainEvent } from "../domain/events.ts";

export interface LogLine {
  readonly level: "info" | "warn";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What the log says of an event: one line for each decision, round, tool, failure and ending; null for the rest. */
export function logLineOf(event: DomainEvent): LogLine | null {
  switch (event.type) {
    case "decision":
      return info("decision", {
        round: event.round,
        calls: event.toolCalls.map((call) => call.name),
        reason: event.reason,
        cached: event.cached,
      });
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

function toolLine({ tool, ok, results, reused, durationMs, error }: Extract<DomainEvent, { type: "tool-ended" }>): LogLine {
  const fields = { tool, ok, results, reused, durationMs, ...(error === null ? {} : { error: error.code }) };
  return ok ? info("tool ended", fields) : warn("tool failed", fields);
}

function info(message: string, fields: LogLine["fields"]): LogLine {
  return { level: "info", message, fields };
}

function warn(message: string, fields: LogLine["fields"]): LogLine {
  return { level: "warn", message, fields };
}
