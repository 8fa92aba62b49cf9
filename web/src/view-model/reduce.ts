import type { RunEvent } from "../../../src/domain/events.ts";
import { reduceCall } from "./calls.ts";
import { reduceLifecycle } from "./lifecycle.ts";
import { reduceNode } from "./nodes.ts";
import type { RunView } from "./run-view.ts";
import { reduceFinding } from "./sources.ts";
import { reduceTool } from "./tools.ts";

/**
 * Returns the view after the event. Pure, and constant in time and memory per event: lists share what has not changed, and have bounds. An event
 * that the view already contains changes nothing, so a stream may be read again from an earlier place. Events of unknown types only count.
 */
export function reduce(view: RunView, event: RunEvent): RunView {
  if (event.seq <= view.seq) return view;
  return { ...apply({ ...view, seq: event.seq }, currentEvent(event)), lastAt: event.at };
}

/** Events of versions before 0.4 have another name for this node of the graph `research`. */
function currentEvent(event: RunEvent): RunEvent {
  return "node" in event && event.node === "summarise" ? { ...event, node: "summarize" } : event;
}

function apply(view: RunView, event: RunEvent): RunView {
  switch (event.type) {
    case "run-queued":
    case "run-started":
    case "run-restarted":
    case "run-resumed":
    case "run-waiting":
    case "run-ended":
      return reduceLifecycle(view, event);
    case "node-started":
    case "node-ended":
      return reduceNode(view, event);
    case "decision":
    case "tool-started":
    case "tool-ended":
    case "round-ended":
    case "loop-ended":
      return reduceTool(view, event);
    case "source-found":
    case "source-failed":
    case "rerank-failed":
    case "document-read":
    case "document-failed":
    case "notes-taken":
    case "queries-rewritten":
      return reduceFinding(view, event);
    case "content":
    case "reasoning":
    case "tool-calls":
    case "call-ended":
    case "call-waiting":
    case "call-restarted":
    case "model-failed":
    case "component":
    case "usage":
      return reduceCall(view, event);
    default:
      // A new type of event fails to compile here; one of a newer server is only counted.
      event satisfies never;
      return view;
  }
}
