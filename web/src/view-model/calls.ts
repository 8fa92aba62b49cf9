import type { RunEvent } from "../../../src/domain/events.ts";
import { reduceComponent } from "./components.ts";
import type { CallPart } from "./part.ts";
import { addPart, changePart, openKey, openPart } from "./parts.ts";
import { MAX_TEXT, type RunView } from "./run-view.ts";

type CallEvent = Extract<
  RunEvent,
  { type: "content" | "reasoning" | "tool-calls" | "call-ended" | "call-waiting" | "call-restarted" | "usage" }
>;
type Event = CallEvent | Extract<RunEvent, { type: "model-failed" | "component" }>;

/** The `callId` of the finished report, which is not the text of a model. */
const REPORT_CALL = "report";

/** What models say: text, thoughts, calls, and what they cost. */
export function reduceCall(view: RunView, event: Event): RunView {
  if (event.type === "component") return reduceComponent(view, event);
  if (event.type === "model-failed") {
    const { model: name, failure: code, message, fallback } = event;
    const part = { kind: "failure", id: event.seq, at: event.at, what: "model", name, query: null, code, message, fallback } as const;
    return addPart(view, event, part, { counts: { failed: 1 } });
  }
  const spent = event.type === "usage" ? { ...view, spent: event.spent } : view;
  const key = openKey("call", event.path, event.callId);
  const open = openPart(spent, key);
  if (open?.part.kind === "call") return changePart(spent, open.place, (part) => (part.kind === "call" ? change(part, event) : part));
  return addPart(spent, event, change(newCall(event), event), { key, counts: { calls: event.callId === REPORT_CALL ? 0 : 1 } });
}

function newCall(event: CallEvent): CallPart {
  return {
    ...{ kind: "call", id: event.seq, at: event.at, callId: event.callId, try: 1, node: "node" in event ? event.node : "", model: null },
    ...{
      state: "streaming",
      ahead: 0,
      text: "",
      before: "",
      isChecked: false,
      part: null,
      reasoning: "",
      cut: false,
      toolCalls: [],
      tokens: null,
      finishReason: null,
    },
    isReport: event.callId === REPORT_CALL,
  };
}

function change(part: CallPart, event: CallEvent): CallPart {
  switch (event.type) {
    case "content":
      return extend(
        { ...part, state: "streaming", try: event.try, isChecked: event.draft !== true, part: event.part ?? null },
        "text",
        event.delta,
      );
    case "reasoning":
      return extend({ ...part, state: "streaming", try: event.try }, "reasoning", event.delta);
    case "tool-calls":
      return { ...part, state: "streaming", toolCalls: [...part.toolCalls, ...event.calls].slice(-100) };
    case "call-waiting":
      return { ...part, state: "waiting", ahead: event.ahead };
    case "call-restarted":
      return {
        ...{ ...part, state: "streaming", try: event.try, before: part.text || part.before },
        ...{ text: "", reasoning: "", cut: false, toolCalls: [], finishReason: null },
      };
    case "call-ended":
      return { ...part, state: "ended", model: event.model, finishReason: event.finishReason };
    case "usage":
      return { ...part, model: event.model, tokens: { input: event.usage.inputTokens, output: event.usage.outputTokens } };
  }
}

/** Keeps the end of a long text. Cuts seldom, because each cut copies the text. */
function extend(part: CallPart, field: "text" | "reasoning", delta: string): CallPart {
  const whole = part[field] + delta;
  return whole.length <= 2 * MAX_TEXT ? { ...part, [field]: whole } : { ...part, [field]: whole.slice(-MAX_TEXT), cut: true };
}
