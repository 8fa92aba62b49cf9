import type { DossierError } from "../../errors.ts";
import type { Spent } from "../budget.ts";
import type { DomainEvent } from "../events.ts";
import type { JournalRecord, LoggedEvent, Pause, RunSignal } from "../recording.ts";
import type { RunContext } from "./effects.ts";

export interface Difference {
  readonly place: string;
  readonly message: string;
}

/** `record` and `event` return at once and keep the order of calls. */
export interface JournalSink {
  record(record: JournalRecord): void;
  event(event: LoggedEvent, body: DomainEvent, node: string | null): void;
  /** Resolves when everything before this call is committed, or refused and the journal abandoned. */
  stored(): Promise<void>;
}

export interface EarlierSegment {
  readonly begun: readonly { readonly origin: string; readonly step: number }[];
  readonly calls: readonly Pick<JournalRecord, "key" | "kind" | "ok" | "result">[];
}

/** What earlier attempts stored of a segment, and what earlier segments did. */
export interface SegmentHistory {
  /** In the order of `ord`. */
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
  /** Records of the epochs before a restart, oldest first; found by request alone. */
  readonly cache: readonly (readonly JournalRecord[])[];
  /** Spent by model calls of earlier segments. */
  readonly spent: Spent;
  readonly earlier: readonly EarlierSegment[];
  readonly pauses: readonly Pause[];
}

export interface JournalOptions extends SegmentHistory {
  readonly runId: string;
  readonly segment: number;
  readonly epoch: number;
  /** `live` continues after the last record; `replay` performs nothing. */
  readonly mode: "live" | "replay";
  readonly sink: JournalSink;
  readonly clock: () => number;
  readonly onDrain: (wanted: boolean) => void;
}

export interface SegmentJournal extends RunContext {
  /** Aborted by `cancel`, `deadline`, `abandon`, or a difference; the reason is a `DossierError`. */
  readonly signal: AbortSignal;
  readonly stoppedBy: RunSignal | null;
  readonly firstDifference: Difference | null;
  /** Records a control, which takes effect in order. */
  send(control: RunSignal): void;
  /** Stops without a record: another attempt owns the run, or the process exits. */
  abandon(reason: DossierError): void;
  /** After the graph has ended: the first recorded request or event that this execution did not repeat. */
  findDifference(): Difference | null;
  /** Logs an event of the engine, even after a stop. */
  conclude(event: DomainEvent): void;
  now(): number;
  /** Afterwards all effects and events throw `run_closed`. */
  close(): void;
}

export type OpenJournal = (options: JournalOptions) => SegmentJournal;
