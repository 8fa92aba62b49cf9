import { ChildListSchema } from "../domain/components.ts";
import type { RunEvent } from "../domain/events.ts";
import { plural } from "./terminal.ts";

export function progressLine(event: RunEvent): string | null {
  switch (event.type) {
    case "run-started":
      return event.attempt === 1 ? null : `attempt ${event.attempt}: resuming after the last completed step`;
    case "run-restarted":
      return `starting again: ${event.reason}`;
    case "node-started":
      return `${event.node} …`;
    case "decision":
      return event.toolCalls.length > 0 ? `  calls ${event.toolCalls.map((call) => call.name).join(", ")}` : `  ${event.reason}`;
    case "queries-rewritten":
      return `  nothing relevant was found; searching for ${event.queries.map(({ text }) => text).join("; ")}`;
    case "tool-ended":
      return event.ok
        ? `  ${event.tool}: ${plural(event.results, "result")}${event.reused ? " (reused)" : ""}`
        : `  ${event.tool} failed: ${event.error?.message ?? ""}`;
    case "loop-ended":
      return `  optional tools: ${event.reason} after ${plural(event.rounds, "round")}`;
    case "source-found":
      return `  found ${event.source.title} (${event.source.foundBy})`;
    case "source-failed":
      return `  could not search ${event.source}: ${event.message}`;
    case "rerank-failed":
      return `  could not rank by meaning: ${event.message}`;
    case "document-read":
      return `  read ${event.title}`;
    case "document-failed":
      return `  could not read ${event.url}: ${event.message}`;
    case "call-waiting":
      return `  waiting for the model: ${plural(event.ahead, "call")} ahead`;
    case "call-restarted":
      return `  asking the model again: ${event.reason}`;
    case "model-failed":
      return `  the model failed: ${event.message}${event.fallback === null ? "" : ` (${event.fallback} instead)`}`;
    case "usage":
      return `  ${event.model}: ${event.usage.inputTokens} + ${event.usage.outputTokens} tokens`;
    case "component":
      return teamLine(event);
    case "run-ended":
      return `${event.status}: ${event.termination.reason}${event.termination.detail === null ? "" : ` (${event.termination.detail})`}`;
    default:
      return null;
  }
}

function teamLine({ type, component, props }: Extract<RunEvent, { type: "component" }>): string | null {
  const { success, data } = ChildListSchema.safeParse({ type, component, props });
  return success ? `  team: ${data.props.children.map(({ id, status }) => `${id} ${status}`).join(", ")}` : null;
}
