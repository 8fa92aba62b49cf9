import { Command, isGraphDrained, RunControl } from "@langchain/langgraph";
import { z } from "zod";
import type { DomainEvent } from "../domain/events.ts";
import type { RunContext } from "../domain/ports/effects.ts";
import type { Difference, OpenJournal, SegmentJournal } from "../domain/ports/journal.ts";
import type { PendingInterrupt, SegmentEnd } from "../domain/ports/run-store.ts";
import type { Segment } from "../domain/recording.ts";
import { PendingSchema, type Termination } from "../domain/run.ts";
import { DossierError, toDossierError } from "../errors.ts";
import type { GraphDefinition } from "../graphs/registry.ts";

/** What a segment came to: its end, a difference from its record, or the loss of the run to another attempt. */
export type SegmentOutcome =
  | { readonly type: "end"; readonly end: SegmentEnd }
  | { readonly type: "differs"; readonly difference: Difference }
  | { readonly type: "lost"; readonly error: DossierError };

export interface SegmentOptions {
  readonly runId: string;
  /** Whose checkpoints they are that the graph stores. */
  readonly attempt: number;
  readonly definition: GraphDefinition;
  readonly segment: Segment;
  /** LangGraph's interrupt ids by the ids of the questions that the segment answers. */
  readonly interrupts: Readonly<Record<string, string>>;
  /** How many steps the whole run may take, its earlier segments included. */
  readonly steps: number;
  readonly openJournal: (onDrain: (wanted: boolean) => void) => ReturnType<OpenJournal>;
  /** Called with the open journal before anything runs in it. */
  readonly onOpen: (journal: SegmentJournal) => void;
}

/**
 * Runs one segment from its input to a wait, a drain or the end. Live run, recovery and replay differ only in the journal
 * they open. The conclusion has been said when this resolves; the journal is then closed.
 */
export async function runSegment(options: SegmentOptions): Promise<SegmentOutcome> {
  const control = new DrainControl();
  const journal = options.openJournal((wanted) => {
    control.wanted = wanted;
  });
  options.onOpen(journal);
  try {
    const end = await invokeGraph(options, journal, control);
    const difference = end === null ? journal.difference : journal.findDifference();
    if (difference !== null) return { type: "differs", difference };
    if (end === null) return { type: "lost", error: toDossierError(journal.signal.reason) };
    for (const event of conclusion(end)) journal.conclude(event);
    return { type: "end", end };
  } finally {
    journal.close();
  }
}

/** The end of the segment, or null where it was stopped by something that is no end of the run. */
async function invokeGraph(options: SegmentOptions, journal: SegmentJournal, control: DrainControl): Promise<SegmentEnd | null> {
  const { definition, runId, attempt, steps, segment } = options;
  try {
    const state = await definition.graph.invoke(inputOf(options), {
      configurable: { thread_id: runId, attempt },
      context: { run: withinSteps(journal, steps) },
      durability: "exit",
      signal: journal.signal,
      control,
      // Counts this segment alone and is never reached; `withinSteps` counts the run.
      recursionLimit: steps + 1,
    });
    const pending = pendingOf(state, segment.index);
    if (pending.length > 0) return { type: "waiting", pending };
    const { termination, report } = definition.outcome(state);
    return { type: "ended", status: "succeeded", termination, report, error: null };
  } catch (error) {
    if (isGraphDrained(error)) return { type: "drained" };
    return journal.signal.aborted ? stopped(journal) : failed(error);
  }
}

/** LangGraph numbers the steps of a run on and on, over its segments; the step after the last one is refused before it begins. */
function withinSteps(run: RunContext, steps: number): RunContext {
  return {
    async task(place, body) {
      if (place.step > steps) throw new DossierError("step_cap", `The run has taken its ${steps} steps and has not come to an end.`);
      return run.task(place, body);
    },
  };
}

function inputOf({ definition, segment, interrupts }: SegmentOptions): unknown {
  const { input } = segment;
  if (input.type === "start") return definition.input(input.task);
  if (input.type === "continue") return null;
  const resume = Object.entries(input.answers).map(([id, answer]) => [interrupts[id] ?? id, answer]);
  return new Command({ resume: Object.fromEntries(resume) });
}

const InterruptsSchema = z.array(z.object({ id: z.string(), value: PendingSchema.omit({ id: true }) }));

/** The questions the graph stopped for, under ids that are the same in every replay (LangGraph's own are not). */
function pendingOf(state: Record<string, unknown>, segment: number): PendingInterrupt[] {
  const interrupts = InterruptsSchema.parse(state["__interrupt__"] ?? []);
  return interrupts.map(({ id, value }, index) => ({ ...value, id: `${segment}.${index}`, interruptId: id }));
}

function stopped(journal: SegmentJournal): SegmentEnd | null {
  if (journal.difference !== null) return null;
  if (journal.stoppedBy === "cancel") return ended("cancelled", { reason: "cancelled", node: null, detail: null }, null);
  if (journal.stoppedBy !== "deadline") return null;
  return ended(
    "failed",
    { reason: "time_budget", node: null, detail: "stopped while it was writing" },
    toDossierError(journal.signal.reason),
  );
}

function failed(error: unknown): SegmentEnd {
  // Tasks of one step that fail together come in one error; what the first one says is the reason.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const cause = first instanceof Error && first.name === "GraphRecursionError" ? usedUp(first) : toDossierError(first);
  return ended("failed", { reason: cause.code === "step_cap" ? "step_cap" : "failed", node: null, detail: cause.message }, cause);
}

/** A graph within the graph, which counts for itself. */
function usedUp(cause: Error): DossierError {
  return new DossierError("step_cap", "A part of the run has taken all steps of the run and has not come to an end.", { cause });
}

function ended(status: "failed" | "cancelled", termination: Termination, error: DossierError | null): SegmentEnd {
  const shown = error === null ? null : { code: error.code, message: error.message };
  return { type: "ended", status, termination, report: null, error: shown };
}

function conclusion(end: SegmentEnd): DomainEvent[] {
  if (end.type === "drained") return [];
  if (end.type === "ended") return [{ type: "run-ended", status: end.status, termination: end.termination }];
  return [{ type: "run-waiting", pending: end.pending.map(({ interruptId: _, ...shown }) => shown) }];
}

/** A request to stop at the end of the step which can be taken back until then. LangGraph reads it between two steps. */
class DrainControl extends RunControl {
  wanted = false;

  override get drainRequested(): boolean {
    return this.wanted;
  }
}
