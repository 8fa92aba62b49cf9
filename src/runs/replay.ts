import { addSpent, NOTHING_SPENT, type Spent } from "../domain/budget.ts";
import type { DomainEvent } from "../domain/events.ts";
import { canonicalJson } from "../domain/json.ts";
import type { Difference, EarlierSegment, JournalSink, OpenJournal } from "../domain/ports/journal.ts";
import type { PromptHashes } from "../domain/ports/models.ts";
import type { SegmentEnd } from "../domain/ports/run-store.ts";
import { type LoggedEvent, pausesOf, type RecordedSegment, type Recording } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";
import type { GraphDefinition } from "../graphs/registry.ts";
import { runSegment } from "./run-segment.ts";

export interface Replay {
  /** Null if all events and the report are equal to the recorded ones. */
  readonly difference: Difference | null;
  /** The events of the replay, with recorded events from outside in their places. */
  readonly events: readonly { readonly seq: number; readonly event: LoggedEvent }[];
  readonly end: SegmentEnd | null;
}

/**
 * Runs the recorded segments again from the journal alone. Nothing is performed: a request without a record is a difference, and so is
 * a record or event that does not come again. Starts, answers, cancels, attempts and dropped epochs are taken from the recording.
 * @param definition the recorded graph, compiled with its own saver and the recorded documents
 */
export async function replayRecording(recording: Recording, definition: GraphDefinition, openJournal: OpenJournal): Promise<Replay> {
  const said = new Map<string, LoggedEvent>();
  let end: SegmentEnd | null = null;
  for (const recorded of replayable(recording)) {
    const outcome = await replaySegment(recording, recorded, definition, openJournal, { interrupts: interruptsOf(end), said });
    if (outcome.type === "differs") return finish(recording, said, end, outcome.difference);
    if (outcome.type === "lost") throw new DossierError("internal", "The replay was stopped before it ended.", { cause: outcome.error });
    end = outcome.end;
  }
  return finish(recording, said, end, missingEvent(recording, said) ?? differentEnd(recording, end) ?? wrongCount(recording));
}

interface SegmentContext {
  readonly interrupts: Readonly<Record<string, string>>;
  readonly said: Map<string, LoggedEvent>;
}

function replaySegment(
  recording: Recording,
  recorded: RecordedSegment,
  definition: GraphDefinition,
  openJournal: OpenJournal,
  context: SegmentContext,
) {
  const { segment, records } = recorded;
  const prefix = `${segment.index}.${segment.epoch}/`;
  const events = recording.events.map(({ event }) => event).filter(({ origin }) => origin.startsWith(prefix));
  const sink: JournalSink = {
    record: () => undefined,
    stored: async () => undefined,
    event: (event) => void context.said.set(event.origin, event),
  };
  const clock = (): number => 0;
  return runSegment({
    runId: recording.run.id,
    attempt: 1,
    definition,
    segment,
    interrupts: context.interrupts,
    steps: Math.max(stepsOf(recording), definition.minSteps),
    openJournal: (onDrain) =>
      openJournal({
        runId: recording.run.id,
        segment: segment.index,
        epoch: segment.epoch,
        records,
        events,
        cache: [],
        spent: spentBefore(recording, segment.index),
        earlier: earlierSegments(recording, segment.index),
        pauses: pausesOf(recording.events.map(({ event }) => event)),
        mode: "replay",
        sink,
        clock,
        onDrain,
      }),
    onOpen: () => undefined,
  });
}

function spentBefore(recording: Recording, index: number): Spent {
  return segmentsBefore(recording, index)
    .flatMap(({ records }) => records)
    .reduce(addSpent, NOTHING_SPENT);
}

function earlierSegments(recording: Recording, index: number): EarlierSegment[] {
  return segmentsBefore(recording, index).map(({ segment, records }) => ({
    begun: recording.events.flatMap(({ event: { origin, body } }) => {
      if (!origin.startsWith(`${segment.index}.${segment.epoch}/`)) return [];
      const event = JSON.parse(body) as DomainEvent;
      return event.type === "node-started" ? [{ origin, step: event.step }] : [];
    }),
    calls: records.filter(({ kind }) => kind === "model"),
  }));
}

function segmentsBefore({ segments }: Recording, index: number): RecordedSegment[] {
  return lastEpochs(segments).filter(({ segment }) => segment.index < index);
}

/** Of a restarted segment only the last epoch counts. */
function lastEpochs(segments: readonly RecordedSegment[]): RecordedSegment[] {
  return segments.filter(
    ({ segment }) => !segments.some((other) => other.segment.index === segment.index && other.segment.epoch > segment.epoch),
  );
}

/** All segments that started, except a last one that the engine ended itself: its end cannot come again. */
function replayable(recording: Recording): RecordedSegment[] {
  const { events } = recording;
  const ended = events.some(({ event }) => event.origin.startsWith("life/run-ended/"));
  const hasEnd = ({ segment }: RecordedSegment): boolean =>
    events.some(({ event }) => event.origin.startsWith(`${segment.index}.${segment.epoch}/end@`));
  const begun = lastEpochs(recording.segments).filter((segment) => hasBegun(recording, segment));
  return begun.filter((segment, index) => !ended || index < begun.length - 1 || hasEnd(segment));
}

function hasBegun(recording: Recording, { segment, records }: RecordedSegment): boolean {
  return records.length > 0 || recording.events.some(({ event }) => event.origin.startsWith(`${segment.index}.${segment.epoch}/`));
}

function stepsOf({ segments }: Recording): number {
  const input = segments[0]?.segment.input;
  return input?.type === "start" ? input.task.limits.steps : 0;
}

function interruptsOf(end: SegmentEnd | null): Record<string, string> {
  return end?.type === "waiting" ? Object.fromEntries(end.pending.map(({ id, interruptId }) => [id, interruptId])) : {};
}

function finish(
  recording: Recording,
  said: ReadonlyMap<string, LoggedEvent>,
  end: SegmentEnd | null,
  difference: Difference | null,
): Replay {
  const outside = fromOutside(recording);
  const events = recording.events.flatMap(({ seq, event }) => {
    const again = outside(event) ? event : said.get(event.origin);
    return again === undefined ? [] : [{ seq, event: again }];
  });
  return { difference, events, end };
}

/** Whether an event does not come from a replayed segment. */
function fromOutside(recording: Recording): (event: LoggedEvent) => boolean {
  const prefixes = replayable(recording).map(({ segment }) => `${segment.index}.${segment.epoch}/`);
  return ({ origin }) => !prefixes.some((prefix) => origin.startsWith(prefix));
}

function missingEvent(recording: Recording, said: ReadonlyMap<string, LoggedEvent>): Difference | null {
  const outside = fromOutside(recording);
  const missing = recording.events.find(({ event }) => !outside(event) && !said.has(event.origin));
  return missing === undefined
    ? null
    : { place: `event ${missing.seq} (${missing.event.origin})`, message: `recorded ${missing.event.body}, now nothing` };
}

/** Compares the run's own line with its segments and events. */
function differentEnd(recording: Recording, end: SegmentEnd | null): Difference | null {
  const { run, segments, events } = recording;
  const input = segments[0]?.segment.input;
  const last = events.map(({ event }) => JSON.parse(event.body)).find(({ type }) => type === "run-ended");
  const pairs: [place: string, recorded: unknown, now: unknown][] = [
    ["question", run.question.trim().toWellFormed(), input?.type === "start" ? input.task.question : run.question],
    ["status", run.status, last?.status ?? run.status],
    ["termination", run.termination, last?.termination ?? null],
  ];
  if (end?.type === "ended" && last?.status === end.status) pairs.push(["report", run.report, end.report]);
  for (const [place, recorded, now] of pairs) {
    const [before, after] = [canonicalJson(recorded), canonicalJson(now)];
    if (before !== after) return { place, message: firstDifference(before, after) };
  }
  return null;
}

function wrongCount({ lines, events }: Recording): Difference | null {
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0) return { place: `event ${gap + 1}`, message: "it is missing from the recording" };
  if (lines.found === lines.declared) return null;
  return { place: "the last line", message: `it counts ${lines.declared} lines, there are ${lines.found}` };
}

function firstDifference(recorded: string, now: string): string {
  const length = Math.max(recorded.length, now.length);
  const index = Array.from({ length }).findIndex((_, position) => recorded[position] !== now[position]);
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, index - 40), index + 80));
  return `at character ${index}: recorded ${around(recorded)}, now ${around(now)}`;
}

/** A prompt that changed since the recording; a hash is null if there was or is no such prompt. */
interface ChangedPrompt {
  readonly name: string;
  readonly recorded: string | null;
  readonly now: string | null;
}

export interface ReplayWithPrompts extends Replay {
  readonly changedPrompts: readonly ChangedPrompt[];
}

/**
 * Adds the changed prompts to a replay. If the replay differs, its difference names them as the cause.
 * @param now hashes of the current templates of the graph's roles
 */
export function explainByPrompts(replay: Replay, recording: Recording, now: PromptHashes): ReplayWithPrompts {
  const changedPrompts = promptsChangedSince(recording, now);
  if (replay.difference === null || changedPrompts.length === 0) return { ...replay, changedPrompts };
  const { place, message } = replay.difference;
  const difference = {
    place: `${changedPrompts.length === 1 ? "the prompt" : "the prompts"} ${changedPrompts.map(({ name }) => name).join(", ")}`,
    message: `${changedPrompts.map(tellChange).join("; ")}. It shows first at ${place}: ${message}`,
  };
  return { ...replay, difference, changedPrompts };
}

/** Empty if the recording has no hashes of prompts. */
function promptsChangedSince({ segments }: Recording, now: PromptHashes): ChangedPrompt[] {
  const input = segments[0]?.segment.input;
  const recorded = input?.type === "start" ? input.task.prompts : undefined;
  if (recorded === undefined) return [];
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  return names
    .map((name) => ({ name, recorded: recorded[name] ?? null, now: now[name] ?? null }))
    .filter((prompt) => prompt.recorded !== prompt.now);
}

function tellChange({ name, recorded, now }: ChangedPrompt): string {
  const hash = (sha256: string | null): string => (sha256 === null ? "none" : `sha256 ${sha256}`);
  return `${name} was recorded as ${hash(recorded)}, and is now ${hash(now)}`;
}
