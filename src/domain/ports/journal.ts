import type { DossierError } from "../../errors.ts";
import type { DomainEvent } from "../events.ts";
import type { Control, JournalRecord, LoggedEvent, Pause } from "../recording.ts";
import type { Spent } from "../spent.ts";
import type { RunContext } from "./effects.ts";

/** The first place where an execution differs from its record. */
export interface Difference {
  readonly place: string;
  readonly message: string;
}

/** Stores what a live journal says. `record` and `event` return at once; the order of calls is the order of storage. */
export interface JournalSink {
  record(record: JournalRecord): void;
  event(event: LoggedEvent, body: DomainEvent, node: string | null): void;
  /** Resolves when everything before it is committed, or refused; in that case the journal has been abandoned. */
  stored(): Promise<void>;
}

export interface EarlierSegment {
  /** The `node-started` events of its tasks, with LangGraph's own step. */
  readonly begun: readonly { readonly origin: string; readonly step: number }[];
  /** Its model calls in order. */
  readonly calls: readonly Pick<JournalRecord, "key" | "kind" | "ok" | "result">[];
}

export interface JournalOptions {
  readonly runId: string;
  readonly segment: number;
  readonly epoch: number;
  /** Records of earlier attempts by `ord`. */
  readonly records: readonly JournalRecord[];
  /** Events of earlier attempts in order. */
  readonly events: readonly LoggedEvent[];
  /** Records of the epochs before a restart, oldest epoch first; found by request alone. */
  readonly cache: readonly (readonly JournalRecord[])[];
  /** Spent by model calls of earlier segments. */
  readonly spent: Spent;
  /** Earlier segments in order, to recognize tasks that continue in this one. */
  readonly earlier: readonly EarlierSegment[];
  /** Times without an attempt, so far. */
  readonly pauses: readonly Pause[];
  /** `live` continues after the last record; `replay` performs nothing. */
  readonly mode: "live" | "replay";
  readonly sink: JournalSink;
  readonly clock: () => number;
  readonly onDrain: (wanted: boolean) => void;
}

/** The journal of one segment while it is executed. */
export interface SegmentJournal extends RunContext {
  /** Aborted by `cancel`, `deadline`, `abandon`, or a difference; the reason is a `DossierError`. */
  readonly signal: AbortSignal;
  /** The control that has taken effect. */
  readonly stoppedBy: Control | null;
  readonly difference: Difference | null;
  /** Records a control, which takes effect in order. */
  control(control: Control): void;
  /** Stops without recording it: another attempt owns the run, or the process exits. */
  abandon(reason: DossierError): void;
  /** Call it when the graph has ended: the first record or event that has not come again. */
  findDifference(): Difference | null;
  /** Logs an event of the engine at the end of the segment, even after a stop. */
  conclude(event: DomainEvent): void;
  now(): number;
  /** Afterwards all effects and events throw `run_closed`. */
  close(): void;
}

export type OpenJournal = (options: JournalOptions) => SegmentJournal;
