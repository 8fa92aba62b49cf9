import type { RunEvent } from "../../../src/domain/events.ts";
import type { ToolPart } from "./part.ts";
import { addPart, changePart, openKey, openPart } from "./parts.ts";
import type { RunView } from "./run-view.ts";

type Event = Extract<RunEvent, { type: "decision" | "tool-started" | "tool-ended" | "round-ended" | "loop-ended" }>;

/** Decisions, calls of tools, and the rounds in which they are made. */
export function reduceTool(view: RunView, event: Event): RunView {
  const base = { id: event.seq, at: event.at };
  switch (event.type) {
    case "decision": {
      const { round, reason, queries = [], toolCalls, toolsOffered } = event;
      return addPart(view, event, { ...base, kind: "decision", round, reason, queries, toolCalls, toolsOffered });
    }
    case "tool-started":
      return addPart(view, event, startedTool(event), { key: openKey("tool", event.path, event.callId), counts: { tools: 1 } });
    case "tool-ended":
      return endTool(view, event);
    case "round-ended": {
      const { round, results, totalResults } = event;
      return addPart(view, event, { ...base, kind: "round", round, results, totalResults });
    }
    case "loop-ended":
      return addPart(view, event, { ...base, kind: "loop-end", reason: event.reason, rounds: event.rounds });
  }
}

function startedTool(event: Extract<Event, { type: "tool-started" | "tool-ended" }>): ToolPart {
  return {
    ...{ kind: "tool", id: event.seq, at: event.at, callId: event.callId, tool: event.tool, arguments: event.arguments },
    ...{ ok: null, results: 0, error: null, durationMs: null, reused: false, content: [] },
  };
}

/** A reused result has no start. */
function endTool(view: RunView, event: Extract<Event, { type: "tool-ended" }>): RunView {
  const { ok, results, error, durationMs, reused, content = [] } = event;
  const end = { ok, results, error, durationMs, reused, content };
  const open = openPart(view, openKey("tool", event.path, event.callId));
  if (open?.part.kind === "tool" && open.part.ok === null) {
    return changePart(view, open.place, (part) => (part.kind === "tool" ? { ...part, ...end } : part));
  }
  return addPart(view, event, { ...startedTool(event), ...end }, { counts: { tools: 1 } });
}
