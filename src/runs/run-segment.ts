import { Command, isGraphDrained, RunControl } from "@langchain/langgraph";
import { z } from "zod";
import type { DomainEvent } from "../domain/events.ts";
import type { RunContext } from "../domain/ports/effects.ts";
import type { Difference, OpenJournal, SegmentJournal } from "../domain/ports/journal.ts";
import type { PendingInterrupt, SegmentEnd } from "../domain/ports/run-store.ts";
import type { LoggedEvent, Segment, TaskChanges } from "../domain/recording.ts";
import { PendingSchema, type Termination } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { DossierError, toDossierError } from "../errors.ts";
import type { GraphDefinition } from "../graphs/registry.ts";

/** `lost`: the segment stopped without an end, because another attempt owns the run, a write was refused or the process exits. */
export type SegmentOutcome =
  | { readonly type: "end"; readonly end: SegmentEnd; readonly last: LastEvent | null }
  | { readonly type: "differs"; readonly difference: Difference }
  | { readonly type: "lost"; readonly error: DossierError };

/** The event that tells how the segment ended. `logged` is null if an earlier attempt has written it. */
export interface LastEvent {
  readonly event: DomainEvent;
  readonly logged: LoggedEvent | null;
}

interface SegmentOptions {
  readonly runId: string;
  readonly attempt: number;
  readonly definition: GraphDefinition;
  readonly segment: Segment;
  /** Maps the id of a question to LangGraph's interrupt id. */
  readonly interrupts: Readonly<Record<string, string>>;
  readonly steps: number;
  readonly openJournal: (onDrain: (wanted: boolean) => void) => ReturnType<OpenJournal>;
  readonly onOpen: (journal: SegmentJournal) => void;
}

/** Runs one segment until the run waits, drains or ends. Then closes the journal. The caller writes the end and the last event. */
export async function runSegment(options: SegmentOptions): Promise<SegmentOutcome> {
  const control = new DrainControl();
  const journal = options.openJournal((wanted) => {
    control.wanted = wanted;
  });
  options.onOpen(journal);
  try {
    const end = await invokeGraph(options, journal, control);
    const difference = end === null ? journal.firstDifference : journal.findDifference();
    if (difference !== null) return { type: "differs", difference };
    if (end === null) return { type: "lost", error: toDossierError(journal.signal.reason) };
    const event = lastEvent(end);
    return { type: "end", end, last: event && { event, logged: journal.conclude(event) } };
  } finally {
    journal.close();
  }
}

async function invokeGraph(options: SegmentOptions, journal: SegmentJournal, control: DrainControl): Promise<SegmentEnd | null> {
  const { definition, runId, attempt, steps, segment } = options;
  try {
    const configurable = { thread_id: runId, attempt };
    const input = await inputOf(options, () => definition.graph.getState({ configurable }));
    const state = await definition.graph.invoke(input, {
      configurable,
      context: { run: withinSteps(journal, steps) },
      durability: "exit",
      signal: journal.signal,
      control,
      // LangGraph never reaches this limit: it counts only this segment, and `withinSteps` counts the whole run.
      recursionLimit: steps + 1,
    });
    const pending = pendingOf(state, segment.index);
    if (pending.length > 0) return { type: "waiting", pending };
    const { termination, report } = definition.outcome(state);
    return { type: "ended", status: "succeeded", termination, report, error: null };
  } catch (error) {
    if (isGraphDrained(error)) return { type: "drained" };
    return journal.signal.aborted ? endOfStopped(journal) : endOfFailed(error);
  }
}

function withinSteps(run: RunContext, steps: number): RunContext {
  return {
    async task(place, body) {
      if (place.step > steps)
        throw new DossierError(
          "step_cap",
          `The run has not ended within its limit of ${steps} steps. Raise limits.steps or MAX_STEPS, or ask for less.`,
        );
      return run.task(place, body);
    },
  };
}

async function inputOf({ definition, segment, interrupts }: SegmentOptions, stateOf: () => Promise<{ values: Record<string, unknown> }>) {
  const { input } = segment;
  if (input.type === "start") return definition.input(input.task);
  const update = input.changes === undefined ? undefined : changedState(definition, (await stateOf()).values, input.changes);
  if (input.type === "continue") return update === undefined ? null : new Command({ update });
  const resume = Object.fromEntries(Object.entries(input.answers).map(([id, answer]) => [interrupts[id] ?? id, answer]));
  return new Command({ resume, ...(update !== undefined && { update }) });
}

function changedState({ change }: GraphDefinition, state: Record<string, unknown>, changes: TaskChanges): Record<string, unknown> {
  return change?.(state, changes) ?? { task: { ...(state["task"] as Task), ...changes } };
}

const InterruptsSchema = z.array(z.object({ id: z.string(), value: PendingSchema.omit({ id: true }) }));

/** Returns the graph's questions to the user, ordered by path. Their ids are equal in every replay; LangGraph's ids are not. */
function pendingOf(state: Record<string, unknown>, segment: number): PendingInterrupt[] {
  const interrupts = InterruptsSchema.parse(state["__interrupt__"] ?? []);
  const ordered = interrupts.toSorted(({ value: { path: one } }, { value: { path: other } }) => Number(one > other) - Number(one < other));
  return ordered.map(({ id, value }, index) => ({ ...value, id: `${segment}.${index}`, interruptId: id }));
}

function endOfStopped({ firstDifference: difference, stoppedBy, signal }: SegmentJournal): SegmentEnd | null {
  if (difference !== null) return null;
  if (stoppedBy === "cancel") return ended("cancelled", { reason: "cancelled", node: null, detail: null }, null);
  if (stoppedBy !== "deadline") return null;
  const termination = { reason: "time_budget", node: null, detail: "stopped while it was writing" } as const;
  return ended("failed", termination, toDossierError(signal.reason));
}

function endOfFailed(error: unknown): SegmentEnd {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const isCapped = first instanceof Error && first.name === "GraphRecursionError";
  const message = "A subgraph of the run has not ended within the run's limit of steps. Raise limits.steps or MAX_STEPS, or ask for less.";
  const cause = isCapped ? new DossierError("step_cap", message, { cause: first }) : toDossierError(first);
  return ended("failed", { reason: cause.code === "step_cap" ? "step_cap" : "failed", node: null, detail: cause.message }, cause);
}

function ended(status: "failed" | "cancelled", termination: Termination, error: DossierError | null): SegmentEnd {
  const stored = error && { code: error.code, message: error.message };
  return { type: "ended", status, termination, report: null, error: stored };
}

function lastEvent(end: SegmentEnd): DomainEvent | null {
  if (end.type === "drained") return null;
  if (end.type === "ended") return { type: "run-ended", status: end.status, termination: end.termination };
  return { type: "run-waiting", pending: end.pending.map(({ interruptId: _, ...shown }) => shown) };
}

/** A stop request that can be revoked. LangGraph reads it between two steps. */
class DrainControl extends RunControl {
  wanted = false;

  override get drainRequested(): boolean {
    return this.wanted;
  }
}
