import { z } from "zod";
import { type StoredDocument, StoredDocumentSchema } from "./document.ts";
import { TaskSchema } from "./request.ts";
import { type Run, RunSchema } from "./run.ts";

/**
 * What a segment of a run begins with: the task, a drained segment's checkpoint, or answers by pending id.
 * A run is a chain of segments, each from such an input to a wait, a drain or the end.
 */
export const SegmentInputSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), task: TaskSchema }),
  z.object({ type: z.literal("continue") }),
  z.object({ type: z.literal("answer"), answers: z.record(z.string(), z.json()) }),
]);
export type SegmentInput = z.infer<typeof SegmentInputSchema>;

export const SegmentSchema = z.object({
  index: z.int().nonnegative(),
  /** Counts the restarts of this segment; a restart begins a new journal. */
  epoch: z.int().nonnegative(),
  input: SegmentInputSchema,
  /** Names the code and the shape of the graph it ran on. */
  fingerprint: z.string(),
});
export type Segment = z.infer<typeof SegmentSchema>;

export const ControlSchema = z.enum(["cancel", "drain", "deadline", "continue"]);
/**
 * What reaches a running segment from outside; its place in the order is recorded like that of an effect. `continue` takes back a
 * `drain` that the step did not see the end of: the process that asked for it is gone, and the next one goes on.
 */
export type Control = z.infer<typeof ControlSchema>;

/**
 * One completion, in the order in which completions were let through. `after` is how many events the segment had said
 * by then. `result` is the effect's value, or `{code, message}` where `ok` is false; null for a control.
 */
export const JournalRecordSchema = z.object({
  ord: z.int().nonnegative(),
  after: z.int().nonnegative(),
  key: z.string(),
  kind: z.string(),
  request: z.json(),
  ok: z.boolean(),
  result: z.json(),
  /** Milliseconds since 1970. */
  at: z.int().nonnegative(),
});
export type JournalRecord = z.infer<typeof JournalRecordSchema>;

/** An event before it has a `seq`: its origin is unique in its run, `body` is the event's JSON. */
export const LoggedEventSchema = z.object({ origin: z.string(), at: z.int().nonnegative(), path: z.string(), body: z.string() });
export type LoggedEvent = z.infer<typeof LoggedEventSchema>;

/** SHA-256 (hex) of the line's other fields as canonical JSON (RFC 8785), so that a changed byte is found where it stands. */
const digest = { digest: z.string() };

/** The lines of an exported recording (`application/x-ndjson`), in this order. */
export const RecordingLineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("recording"), version: z.literal(1), program: z.string(), run: RunSchema, ...digest }),
  SegmentSchema.extend({ type: z.literal("segment"), ...digest }),
  z.object({ type: z.literal("record"), segment: z.int(), epoch: z.int(), record: JournalRecordSchema, ...digest }),
  z.object({ type: z.literal("event"), seq: z.int().positive(), event: LoggedEventSchema, ...digest }),
  z.object({ type: z.literal("document"), document: StoredDocumentSchema, ...digest }),
  z.object({ type: z.literal("end"), lines: z.int().positive(), ...digest }),
]);
export type RecordingLine = z.infer<typeof RecordingLineSchema>;
export type UnsignedLine = { [L in RecordingLine["type"]]: Omit<Extract<RecordingLine, { type: L }>, "digest"> }[RecordingLine["type"]];

/** A stretch in which nothing ran: from the last thing an attempt said to the start of the next one, in milliseconds since 1970. */
export interface Pause {
  readonly from: number;
  readonly to: number;
}

/** The pauses of a run, by its log. */
export function pausesOf(events: Iterable<Pick<LoggedEvent, "origin" | "at">>): Pause[] {
  const pauses: Pause[] = [];
  let lastAt: number | null = null;
  for (const { origin, at } of events) {
    const started = origin.startsWith("life/run-started/");
    if (started && lastAt !== null) pauses.push({ from: lastAt, to: at });
    // What is said about a run from outside (queued, resumed) does not mean that it runs.
    if (started || !origin.startsWith("life/")) lastAt = at;
  }
  return pauses;
}

/** Milliseconds from `since` to `until` without the pauses between. */
export function runningMs(pauses: readonly Pause[], since: number, until: number): number {
  const paused = pauses.map(({ from, to }) => Math.max(0, Math.min(to, until) - Math.max(from, since)));
  return Math.max(0, until - since - paused.reduce((sum, ms) => sum + ms, 0));
}

export interface RecordedSegment {
  readonly segment: Segment;
  readonly records: JournalRecord[];
}

/** A recording as read: segments in order (with those epochs that a restart dropped), events by `seq`. */
export interface Recording {
  readonly run: Run;
  readonly program: string;
  readonly segments: readonly RecordedSegment[];
  readonly events: readonly { readonly seq: number; readonly event: LoggedEvent }[];
  readonly documents: readonly StoredDocument[];
  /** Lines before the last one, which declares how many there should be. */
  readonly lines: { readonly found: number; readonly declared: number };
}
