import { z } from "zod";
import { type StoredDocument, StoredDocumentSchema } from "./document.ts";
import { ModelsSchema } from "./request.ts";
import { type Run, RunSchema } from "./run.ts";
import { TaskSchema } from "./task.ts";

const { question, systemContext, prompts, promptTexts } = TaskSchema.shape;
/** What a fork changes in the task of a run. */
const TaskChangesSchema = z.object({ question, systemContext, models: ModelsSchema, prompts, promptTexts }).partial();
export type TaskChanges = z.infer<typeof TaskChangesSchema>;

/** A run is recorded in segments. A segment ends when the run ends or waits for the user, or when the server stops. */
const SegmentInputSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), task: TaskSchema }),
  z.object({ type: z.literal("continue"), changes: TaskChangesSchema.optional() }),
  z.object({ type: z.literal("answer"), answers: z.record(z.string(), z.json()), changes: TaskChangesSchema.optional() }),
]);
export type SegmentInput = z.infer<typeof SegmentInputSchema>;

const SegmentSchema = z.object({
  index: z.int().nonnegative(),
  /** Counts the restarts of this segment. Each restart begins a new journal. */
  epoch: z.int().nonnegative(),
  input: SegmentInputSchema,
  fingerprint: z.string(),
});
export type Segment = z.infer<typeof SegmentSchema>;

/**
 * A signal to a running segment. `continue` revokes an earlier `drain`. `fork` ends the segment at the end of the step, from where the run goes
 * on with a changed task.
 */
export type RunSignal = "cancel" | "drain" | "deadline" | "continue" | "fork";

const JournalRecordSchema = z.object({
  ord: z.int().nonnegative(),
  after: z.int().nonnegative(),
  key: z.string(),
  kind: z.string(),
  request: z.json(),
  ok: z.boolean(),
  /** The value of the effect, or the `{code, message}` of its error. Null if the record is a `RunSignal`, such as `cancel`. */
  result: z.json(),
  at: z.int().nonnegative(),
});
export type JournalRecord = z.infer<typeof JournalRecordSchema> & {
  /** Whether the result was recorded before, by an earlier attempt at this segment, and paid then. Not stored. */
  readonly isCopy?: true;
};

/** The kinds of effects that cost money, or ask somebody else. */
export const PAID: readonly string[] = ["model", "tool", "search", "download"];

/** `origin` is unique in the run. `body` is the event as JSON. */
const LoggedEventSchema = z.object({ origin: z.string(), at: z.int().nonnegative(), path: z.string(), body: z.string() });
export type LoggedEvent = z.infer<typeof LoggedEventSchema>;

/** The SHA-256 (hex) of the line's other fields as canonical JSON (RFC 8785). */
const digest = { digest: z.string() };

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

export interface Pause {
  readonly from: number;
  readonly to: number;
}

export function pausesOf(events: Iterable<Pick<LoggedEvent, "origin" | "at">>): Pause[] {
  const pauses: Pause[] = [];
  let lastAt: number | null = null;
  for (const { origin, at } of events) {
    const started = origin.startsWith("life/run-started/");
    if (started && lastAt !== null) pauses.push({ from: lastAt, to: at });
    if (started || !origin.startsWith("life/")) lastAt = at;
  }
  return pauses;
}

export function runningMs(pauses: readonly Pause[], since: number, until: number): number {
  const paused = pauses.map(({ from, to }) => Math.max(0, Math.min(to, until) - Math.max(from, since)));
  return Math.max(0, until - since - paused.reduce((sum, ms) => sum + ms, 0));
}

export interface RecordedSegment {
  readonly segment: Segment;
  readonly records: JournalRecord[];
}

export interface Recording {
  readonly run: Run;
  readonly program: string;
  readonly segments: readonly RecordedSegment[];
  readonly events: readonly { readonly seq: number; readonly event: LoggedEvent }[];
  readonly documents: readonly StoredDocument[];
  /** `found` counts the lines before the last line. `declared` is the number in the last line. */
  readonly lines: { readonly found: number; readonly declared: number };
}
