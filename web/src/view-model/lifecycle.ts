import type { RunEvent } from "../../../src/domain/events.ts";
import { append, replace } from "./rows.ts";
import { MAX_STEPS, type MilestoneStep, type RunView } from "./run-view.ts";
import { noEntries, valuesOf } from "./table.ts";

type Event = Extract<RunEvent, { type: "run-queued" | "run-started" | "run-restarted" | "run-resumed" | "run-waiting" | "run-ended" }>;

/** Events of the run as a whole. */
export function reduceLifecycle(view: RunView, event: Event): RunView {
  switch (event.type) {
    case "run-queued":
      return addMilestone({ ...view, status: "queued" }, event, "queued");
    case "run-started":
      return startAttempt(view, event);
    case "run-restarted":
      return restart(view, event);
    case "run-waiting":
      return addMilestone({ ...stopClock(view, event.at), status: "waiting", pending: event.pending }, event, "waiting");
    case "run-resumed":
      return resume(view, event);
    case "run-ended":
      return end(view, event);
  }
}

function startAttempt(view: RunView, event: Extract<Event, { type: "run-started" }>): RunView {
  // A process that was killed has run until its last event.
  const started = {
    ...stopClock(view, view.lastAt),
    runningSince: event.at,
    status: "running",
    attempt: event.attempt,
    startedAt: view.startedAt ?? event.at,
  } as const;
  const afterAnswer = view.status === "queued" && view.segmentStart !== null && view.segmentStart.steps.size === view.steps.size;
  const next = event.attempt === 1 ? started : afterAnswer ? started : addMilestone(started, event, "continued");
  // A stopped process leaves open steps. Without any, the segment before has ended and this is the begin of the next one.
  return valuesOf(view.openSteps).length === 0 ? markSegment(next) : next;
}

/** `run-restarted` means that the earlier events of the segment are void. */
function restart(view: RunView, event: Extract<Event, { type: "run-restarted" }>): RunView {
  const { segmentStart, seq, attempt, startedAt, ranMs, runningSince, status } = view;
  if (segmentStart === null) return addMilestone(view, event, "restarted", event.reason);
  const kept = { seq, attempt, startedAt: startedAt ?? segmentStart.startedAt, ranMs, runningSince, status };
  const back = { ...segmentStart, ...kept, segmentStart };
  return addMilestone(back, event, "restarted", event.reason);
}

function resume(view: RunView, event: Extract<Event, { type: "run-resumed" }>): RunView {
  const pending = view.pending.filter(({ id }) => id !== event.pendingId);
  const status = pending.length === 0 ? "queued" : view.status;
  return markSegment(addMilestone({ ...view, status, pending }, event, "resumed", event.pendingId));
}

function end(view: RunView, event: Extract<Event, { type: "run-ended" }>): RunView {
  const { status, termination, at } = event;
  return addMilestone(
    { ...closeSteps(stopClock(view, at)), status, termination, endedAt: at, pending: [], segmentStart: null },
    event,
    "ended",
  );
}

/** Steps that are still open when the run ends have been interrupted. */
function closeSteps(view: RunView): RunView {
  const open = valuesOf(view.openSteps).flat();
  const steps = open.reduce(
    (rows, index) => replace(rows, index, (step) => (step.kind === "node" ? { ...step, state: "interrupted" } : step)),
    view.steps,
  );
  return { ...view, steps, open: noEntries(), openSteps: noEntries() };
}

function stopClock(view: RunView, at: string | null): RunView {
  if (view.runningSince === null || at === null) return view;
  const ms = Math.max(0, Date.parse(at) - Date.parse(view.runningSince));
  return { ...view, ranMs: view.ranMs + ms, runningSince: null };
}

/** The mark keeps no mark of its own, so marks do not form a chain. */
function markSegment(view: RunView): RunView {
  return { ...view, segmentStart: { ...view, segmentStart: null } };
}

function addMilestone(view: RunView, event: Event, what: MilestoneStep["what"], detail: string | null = null): RunView {
  if (view.steps.size >= MAX_STEPS) return { ...view, droppedSteps: view.droppedSteps + 1 };
  const milestone: MilestoneStep = { kind: "milestone", id: event.seq, at: event.at, path: event.path, what, detail };
  return { ...view, steps: append(view.steps, milestone) };
}
