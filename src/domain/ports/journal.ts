import type { DossierError } from "../../errors.ts";
import type { Spent } from "../budget.ts";
import type { DomainEvent } from "../events.ts";
import type { Spending } from "../quota.ts";
import type { JournalRecord, LoggedEvent, Pause, RunSignal } from "../recording.ts";
import type { KeptReplies, RunContext } from "./effects.ts";
import type { WorkerPool } from "./workers.ts";

export interface Difference {
  readonly place: string;
  readonly message: string;
}

/** Writes in the order of the calls. `record` and `event` return before the write. */
export interface JournalSink {
  /** `ms`: how long an effect took that was performed now. */
  record(record: JournalRecord, ms?: number): void;
  /** Counts what has no receipt. */
  spend?(spent: Spending): void;
  event(event: LoggedEvent, body: DomainEvent, node: string | null): void;
  /** Resolves when everything is committed, or when the database refused it and the journal was abandoned. */
  stored(): Promise<void>;
}

export interface EffectReplies extends KeptReplies {
  /** Whether an earlier attempt kept a reply. */
  readonly any: boolean;
  /** Keeps nothing more. Call it when the effect is recorded. */
  close(): void;
}

export interface EarlierSegment {
  readonly begun: readonly { readonly origin: string; readonly step: number }[];
  /** The model calls and the downloads. */
  readonly calls: readonly Pick<JournalRecord, "key" | "kind" | "request" | "ok" | "result">[];
}

export interface SegmentHistory {
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
  /** The records from before each restart of the segment, oldest first. An equal request reuses their results. */
  readonly cache: readonly (readonly JournalRecord[])[];
  readonly spent: Spent;
  readonly earlier: readonly EarlierSegment[];
  readonly pauses: readonly Pause[];
}

export interface JournalOptions extends SegmentHistory {
  readonly runId: string;
  readonly segment: number;
  readonly epoch: number;
  /** `live` repeats the records and then performs new effects. `replay` performs none. */
  readonly mode: "live" | "replay";
  readonly sink: JournalSink;
  /** Takes secrets that a server repeats out of results, before they are recorded and passed on. */
  readonly mask?: <T>(result: T) => T;
  /** Without them, computations run on the event loop. */
  readonly workers?: Pick<WorkerPool, "run">;
  /** Performs `work`, which is the effect of this key, within its trace. */
  readonly traced?: <T>(key: string, work: () => T) => T;
  /** Without it, effects keep no replies. */
  readonly repliesOf?: (key: string) => EffectReplies;
  readonly clock: () => number;
  readonly onDrain: (wanted: boolean) => void;
}

export interface SegmentJournal extends RunContext {
  /** Aborted by a cancel, the deadline, `abandon`, or code that departs from the record. The reason is a DossierError. */
  readonly signal: AbortSignal;
  readonly stoppedBy: RunSignal | null;
  readonly firstDifference: Difference | null;
  send(signal: RunSignal): void;
  abandon(reason: DossierError): void;
  /** Returns the first recorded request or event that this execution did not repeat. Call it after the graph has ended. */
  findDifference(): Difference | null;
  /**
   * Returns the log entry of a last event of the segment, which its caller writes in the transaction that ends the segment. Returns null if
   * an earlier attempt has written it.
   */
  conclude(event: DomainEvent): LoggedEvent | null;
  close(): void;
}

export type OpenJournal = (options: JournalOptions) => SegmentJournal;
