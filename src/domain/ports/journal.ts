import type { DossierError } from "../../errors.ts";
import type { DomainEvent } from "../events.ts";
import type { Control, JournalRecord, LoggedEvent, Pause } from "../recording.ts";
import type { Spent } from "../spent.ts";
import type { RunContext } from "./effects.ts";

/** The first place where what happens differs from what was recorded. */
export interface Difference {
  readonly place: string;
  readonly message: string;
}

/** Where a live journal puts what must not be forgotten. `record` and `event` return at once; order of calls is order of storage. */
export interface JournalSink {
  record(record: JournalRecord): void;
  event(event: LoggedEvent, body: DomainEvent, node: string | null): void;
  /** Resolves when all that came before is committed, or was refused: then the journal has been abandoned. */
  stored(): Promise<void>;
}

/** What an earlier segment left of its tasks. */
export interface EarlierSegment {
  /** Where its tasks began: their `node-started`, with LangGraph's own step. */
  readonly begun: readonly { readonly origin: string; readonly step: number }[];
  /** Its model calls, in their order. */
  readonly calls: readonly Pick<JournalRecord, "key" | "kind" | "ok" | "result">[];
}

export interface JournalOptions {
  readonly runId: string;
  readonly segment: number;
  readonly epoch: number;
  /** What an earlier attempt recorded, by `ord`. */
  readonly records: readonly JournalRecord[];
  /** What an earlier attempt said, in order. */
  readonly events: readonly LoggedEvent[];
  /** Results to take by request alone: those of the epochs before a restart, oldest epoch first. */
  readonly cache: readonly (readonly JournalRecord[])[];
  /** What the model calls of the segments before have taken. */
  readonly spent: Spent;
  /** The segments before, in order: a task that goes on in this one is known by them. */
  readonly earlier: readonly EarlierSegment[];
  /** When the run stood still, so far. */
  readonly pauses: readonly Pause[];
  /** `live` goes on where the records end; `replay` has the records alone and never performs anything. */
  readonly mode: "live" | "replay";
  readonly sink: JournalSink;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly onDrain: (wanted: boolean) => void;
}

/** The journal of one segment while it is executed. */
export interface SegmentJournal extends RunContext {
  /** Aborted by `cancel`, `deadline`, `abandon`, or a difference; the reason is a `DossierError`. */
  readonly signal: AbortSignal;
  /** Which control, if any, has taken effect. */
  readonly stoppedBy: Control | null;
  readonly difference: Difference | null;
  /** Records a control and lets it take effect in its turn. */
  control(control: Control): void;
  /** Ends everything without recording it: the ownership is lost, or the process goes down. */
  abandon(reason: DossierError): void;
  /** To be called when the graph has ended: names what was recorded and has not happened. */
  findDifference(): Difference | null;
  /** What the engine itself says at the end of the segment; allowed after a stop. */
  conclude(event: DomainEvent): void;
  now(): number;
  /** From here on effects and emitters refuse. */
  close(): void;
}

export type OpenJournal = (options: JournalOptions) => SegmentJournal;
