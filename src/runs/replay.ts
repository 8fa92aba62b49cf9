import { addSpent, NOTHING_SPENT } from "../domain/budget.ts";
import type { DomainEvent } from "../domain/events.ts";
import { canonicalJson } from "../domain/json.ts";
import type { Difference, EarlierSegment, JournalOptions, JournalSink, OpenJournal } from "../domain/ports/journal.ts";
import type { PromptHashes } from "../domain/ports/models.ts";
import type { SegmentEnd } from "../domain/ports/run-store.ts";
import { type LoggedEvent, pausesOf, type RecordedSegment, type Recording } from "../domain/recording.ts";
import type { Report } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { DossierError } from "../errors.ts";
import type { GraphDefinition } from "../graphs/registry.ts";
import { runSegment } from "./run-segment.ts";

export interface Replay {
  readonly difference: Difference | null;
  readonly events: readonly { readonly seq: number; readonly event: LoggedEvent }[];
  readonly end: SegmentEnd | null;
}

/**
 * Runs the recorded segments again with recorded results only. Stops at the first difference: a request without a record, an unused
 * record or a different event. @param definition the recorded graph with the recorded documents and a new checkpointer
 */
export async function replayRecording(recording: Recording, definition: GraphDefinition, openJournal: OpenJournal): Promise<Replay> {
  const emitted = new Map<string, LoggedEvent>();
  const sink: JournalSink = {
    record: () => undefined,
    stored: async () => undefined,
    event: (event) => void emitted.set(event.origin, event),
  };
  let end: SegmentEnd | null = null;
  const finish = (difference: Difference | null): Replay => ({ difference, events: replayedEvents(recording, emitted), end });
  for (const recorded of replayable(recording)) {
    const outcome = await runSegment({
      runId: recording.run.id,
      attempt: 1,
      definition,
      segment: recorded.segment,
      interrupts: interruptsOf(end),
      steps: Math.max(taskOf(recording)?.limits.steps ?? 0, definition.minSteps),
      openJournal: (onDrain) => openJournal({ ...journalOptions(recording, recorded), sink, onDrain }),
      onOpen: () => undefined,
    });
    if (outcome.type === "differs") return finish(outcome.difference);
    if (outcome.type === "lost") throw new DossierError("internal", "The replay was stopped before it ended.", { cause: outcome.error });
    end = outcome.end;
    const last = outcome.last?.logged;
    if (last) emitted.set(last.origin, last);
  }
  return finish(missingEvent(recording, emitted) ?? differentEnd(recording, end) ?? wrongCount(recording));
}

function journalOptions(recording: Recording, recorded: RecordedSegment): Omit<JournalOptions, "sink" | "onDrain"> {
  const { index, epoch } = recorded.segment;
  const before = lastEpochs(recording.segments).filter(({ segment }) => segment.index < index);
  return {
    runId: recording.run.id,
    segment: index,
    epoch,
    records: recorded.records,
    events: eventsOf(recording, recorded),
    cache: [],
    spent: before.flatMap(({ records }) => records).reduce(addSpent, NOTHING_SPENT),
    earlier: before.map((segment) => earlierSegment(recording, segment)),
    pauses: pausesOf(recording.events.map(({ event }) => event)),
    mode: "replay",
    clock: () => 0,
  };
}

function earlierSegment(recording: Recording, segment: RecordedSegment): EarlierSegment {
  const begun = eventsOf(recording, segment).flatMap(({ origin, body }) => {
    const event = JSON.parse(body) as DomainEvent;
    return event.type === "node-started" ? [{ origin, step: event.step }] : [];
  });
  return { begun, calls: segment.records.filter(({ kind }) => kind === "model" || kind === "download") };
}

function eventsOf({ events }: Recording, segment: RecordedSegment): LoggedEvent[] {
  return events.map(({ event }) => event).filter(({ origin }) => origin.startsWith(prefixOf(segment)));
}

function prefixOf({ segment }: RecordedSegment): string {
  return `${segment.index}.${segment.epoch}/`;
}

function lastEpochs(segments: readonly RecordedSegment[]): RecordedSegment[] {
  return segments.filter(
    ({ segment }) => !segments.some((other) => other.segment.index === segment.index && other.segment.epoch > segment.epoch),
  );
}

/** Leaves out segments that did not start, and a segment that the engine stopped, for example after too many crashes. */
function replayable(recording: Recording): RecordedSegment[] {
  const { segments, events } = recording;
  const isEnded = events.some(({ event }) => event.origin.startsWith("life/run-ended/"));
  const begun = lastEpochs(segments).filter((one) => one.records.length > 0 || eventsOf(recording, one).length > 0);
  const hasEnd = (one: RecordedSegment): boolean => events.some(({ event }) => event.origin.startsWith(`${prefixOf(one)}end@`));
  return begun.filter((one, index) => !isEnded || index < begun.length - 1 || hasEnd(one));
}

function taskOf({ segments }: Recording): Task | undefined {
  const input = segments[0]?.segment.input;
  return input?.type === "start" ? input.task : undefined;
}

/** A fork may have changed the question. */
function askedIn(recording: Recording): string | undefined {
  const asked = lastEpochs(recording.segments).flatMap(({ segment: { input } }) =>
    input.type === "start" ? input.task.question : (input.changes?.question ?? []),
  );
  return asked.at(-1);
}

function interruptsOf(end: SegmentEnd | null): Record<string, string> {
  return end?.type === "waiting" ? Object.fromEntries(end.pending.map(({ id, interruptId }) => [id, interruptId])) : {};
}

function replayedEvents(recording: Recording, emitted: ReadonlyMap<string, LoggedEvent>): Replay["events"] {
  const isOutside = isOutsideReplay(recording);
  return recording.events.flatMap(({ seq, event }) => {
    const again = isOutside(event) ? event : emitted.get(event.origin);
    return again === undefined ? [] : [{ seq, event: again }];
  });
}

function isOutsideReplay(recording: Recording): (event: LoggedEvent) => boolean {
  const prefixes = replayable(recording).map(prefixOf);
  return ({ origin }) => !prefixes.some((prefix) => origin.startsWith(prefix));
}

function missingEvent(recording: Recording, emitted: ReadonlyMap<string, LoggedEvent>): Difference | null {
  const isOutside = isOutsideReplay(recording);
  const missing = recording.events.find(({ event }) => !isOutside(event) && !emitted.has(event.origin));
  if (missing === undefined) return null;
  return { place: `event ${missing.seq} (${missing.event.origin})`, message: `recorded ${missing.event.body}, now nothing` };
}

function differentEnd(recording: Recording, end: SegmentEnd | null): Difference | null {
  const { run, events } = recording;
  const last = events.map(({ event }) => JSON.parse(event.body)).find(({ type }) => type === "run-ended");
  const pairs: [place: string, recorded: unknown, now: unknown][] = [
    ["question", run.question.trim().toWellFormed(), askedIn(recording) ?? run.question],
    ["status", run.status, last?.status ?? run.status],
    ["termination", run.termination, last?.termination ?? null],
  ];
  if (end?.type === "ended" && last?.status === end.status) pairs.push(["report", run.report && writtenPart(run.report), end.report]);
  for (const [place, recorded, now] of pairs) {
    const [before, after] = [canonicalJson(recorded), canonicalJson(now)];
    if (before !== after) return { place, message: firstDifference(before, after) };
  }
  return null;
}

/** The verdict is said when a run is read. */
function writtenPart({ verdict: _, ...written }: Report): Omit<Report, "verdict"> {
  return written;
}

function wrongCount({ lines, events }: Recording): Difference | null {
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0) return { place: `event ${gap + 1}`, message: "this event is missing from the recording" };
  if (lines.found === lines.declared) return null;
  return { place: "the last line", message: `it declares ${lines.declared} lines, but there are ${lines.found}` };
}

function firstDifference(recorded: string, now: string): string {
  const length = Math.max(recorded.length, now.length);
  const index = Array.from({ length }).findIndex((_, position) => recorded[position] !== now[position]);
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, index - 40), index + 80));
  return `at character ${index}: recorded ${around(recorded)}, now ${around(now)}`;
}

/** A hash is null if the prompt did not exist. */
interface ChangedPrompt {
  readonly name: string;
  readonly recorded: string | null;
  readonly now: string | null;
}

export interface ReplayWithPrompts extends Replay {
  readonly changedPrompts: readonly ChangedPrompt[];
}

/** Adds the changed prompts to a difference as its cause. @param now the hashes of the current prompts */
export function explainByPrompts(replay: Replay, recording: Recording, now: PromptHashes): ReplayWithPrompts {
  const changedPrompts = promptsChangedSince(recording, now);
  if (replay.difference === null || changedPrompts.length === 0) return { ...replay, changedPrompts };
  const { place, message } = replay.difference;
  const names = changedPrompts.map(({ name }) => name).join(", ");
  const changes = changedPrompts.map(describeChange).join("; ");
  const difference = {
    place: `${changedPrompts.length === 1 ? "the prompt" : "the prompts"} ${names}`,
    message: `${changes}. The first difference is at ${place}: ${message}`,
  };
  return { ...replay, difference, changedPrompts };
}

function promptsChangedSince(recording: Recording, now: PromptHashes): ChangedPrompt[] {
  const recorded = taskOf(recording)?.prompts;
  if (recorded === undefined) return [];
  // The recording has the templates of the request themselves.
  const own = Object.keys(taskOf(recording)?.promptTexts ?? {});
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].filter((name) => !own.includes(name));
  return names
    .map((name) => ({ name, recorded: recorded[name] ?? null, now: now[name] ?? null }))
    .filter((prompt) => prompt.recorded !== prompt.now);
}

function describeChange({ name, recorded, now }: ChangedPrompt): string {
  const hash = (sha256: string | null): string => (sha256 === null ? "none" : `sha256 ${sha256}`);
  return `${name} was recorded as ${hash(recorded)}, and is now ${hash(now)}`;
}
