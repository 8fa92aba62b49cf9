import type { DossierError } from "../../errors.ts";
import type { Spent } from "../budget.ts";
import type { DomainEvent } from "../events.ts";
import type { JournalRecord, LoggedEvent, Pause, RunSignal } from "../recording.ts";
import type { RunContext } from "./effects.ts";

/** The first difference between an execution and its record. */
export interface Difference {
  readonly place: string;
  readonly message: string;
}

/** Stores records and events in the order of the calls. `record` and `event` return before the write. */
export interface JournalSink {
  record(record: JournalRecord): void;
  event(event: LoggedEvent, body: DomainEvent, node: string | null): void;
  /** Resolves when all earlier records and events are committed, or when the database refused them and the journal was abandoned. */
  stored(): Promise<void>;
}

/** The tasks that an earlier segment began, and its model calls. */
export interface EarlierSegment {
  readonly begun: readonly { readonly origin: string; readonly step: number }[];
  readonly calls: readonly Pick<JournalRecord, "key" | "kind" | "ok" | "result">[];
}

/** The records and events that earlier attempts stored for this segment, and the data of the segments before it. */
export interface SegmentHistory {
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
  /** The records of the epochs before a restart, oldest first. An equal request reuses their results. */
  readonly cache: readonly (readonly JournalRecord[])[];
  readonly spent: Spent;
  readonly earlier: readonly EarlierSegment[];
  readonly pauses: readonly Pause[];
}

export interface JournalOptions extends SegmentHistory {
  readonly runId: string;
  readonly segment: number;
  readonly epoch: number;
  /** `live` performs effects after the last record; `replay` performs none. */
  readonly mode: "live" | "replay";
  readonly sink: JournalSink;
  readonly clock: () => number;
  readonly onDrain: (wanted: boolean) => void;
}

export interface SegmentJournal extends RunContext {
  /** Aborted by the signals `cancel` and `deadline`, by `abandon` and by a difference. The reason is a `DossierError`. */
  readonly signal: AbortSignal;
  readonly stoppedBy: RunSignal | null;
  readonly firstDifference: Difference | null;
  /** Records a signal, which takes effect after the records before it. */
  send(signal: RunSignal): void;
  /** Stops without recording a signal, because another attempt owns the run or the process exits. */
  abandon(reason: DossierError): void;
  /** Returns the first recorded request or event that this execution did not repeat. Call it after the graph has ended. */
  findDifference(): Difference | null;
  /** Logs an event of the engine, even after a stop. */
  conclude(event: DomainEvent): void;
  now(): number;
  /** Makes all later effects and events throw `run_closed`. */
  close(): void;
}

export type OpenJournal = (options: JournalOptions) => SegmentJournal;
