import type { DossierError } from "../../errors.ts";
import type { RunEvent } from "../events.ts";
import type { JsonValue } from "../json.ts";
import type { Tenants } from "../owners.ts";
import type { Admission, Spending } from "../quota.ts";
import type { JournalRecord, LoggedEvent, Segment, TaskChanges } from "../recording.ts";
import type { Report } from "../report.ts";
import type { BusyThread, ResearchRequest } from "../request.ts";
import type { Pending, Run, RunStatus, Termination } from "../run.ts";
import type { Task } from "../task.ts";
import type { Child } from "../team.ts";
import type { EffectReplies, SegmentHistory } from "./journal.ts";
import type { RunFilter, RunPage } from "./run-service.ts";

/** An attempt that owns a run. The database refuses writes of older attempts with the error `fenced`. */
export interface Ownership {
  readonly runId: string;
  readonly attempt: number;
}

export interface NewRun {
  readonly id: string;
  readonly tenant: string;
  readonly threadId: string;
  /** Who asks: the name of a key; null without one. */
  readonly owner: string | null;
  /** The W3C `traceparent` of the request. */
  readonly traceparent?: string | null;
  /** Whether somebody waits for the answer. Such a run starts before those that nobody watches. */
  readonly isWatched?: boolean;
  readonly request: ResearchRequest;
  readonly task: Task;
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
  /** Default: any number of runs, and any spending. */
  readonly admission?: Admission;
  /** What becomes of the unfinished runs of the thread. */
  readonly onBusyThread: BusyThread;
  /** When it may start, or null: at once. */
  readonly startAfter: number | null;
  readonly at: number;
}

export interface ClaimedRun extends Ownership, SegmentHistory {
  /** The crashes of the process while this run alone was in flight, without a new result since. */
  readonly crashesAlone: number;
  /** The crashes of the process while this run was in flight, alone or not, without a new result since. */
  readonly crashes: number;
  readonly tenant: string;
  readonly threadId: string;
  readonly graph: string;
  /** The W3C `traceparent` of the request that started it. */
  readonly traceparent: string | null;
  /** When it was first started. */
  readonly startedAt: number;
  readonly segment: Segment;
  readonly interrupts: Readonly<Record<string, string>>;
  readonly cancelRequested: boolean;
  readonly ranMs: number;
  readonly limits: Task["limits"];
  /** Set if the stored run cannot be read. The segment, the records and the limits are then empty. */
  readonly fault: DossierError | null;
}

/** A new run with the records of another one up to a step. */
export interface Fork {
  readonly tenant: string;
  readonly owner: string | null;
  /** The other run. */
  readonly runId: string;
  /** The step in which this event falls is made again, unless it had ended. */
  readonly afterSeq: number;
  readonly id: string;
  readonly question: string;
  readonly request: ResearchRequest;
  readonly requestHash: string;
  readonly changes: TaskChanges;
  readonly admission?: Admission;
  readonly at: number;
}

export interface ClaimRequest {
  readonly at: number;
  readonly limit: number;
  readonly fingerprintOf: FingerprintOf;
  /** Whether this process executes no run. */
  readonly isIdle: boolean;
}

/** Hashes the program's version, the graph and its prompts. Returns an empty text for an unknown graph. */
export type FingerprintOf = (graph: string) => string;

export interface PendingInterrupt extends Pending {
  readonly interruptId: string;
}

export interface LogBatch {
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
  /** What was spent without a receipt. */
  readonly spent?: Spending;
  /** A write of some of it has failed. The database may have it nevertheless, if the connection was lost during the commit. */
  readonly isAgain?: boolean;
}

export interface UnwrittenLog {
  /** Returns what is not written, which the log then forgets. */
  take(): LogBatch;
  /** Takes back what could not be written. */
  putBack(batch: LogBatch): void;
}

/** `drained` means that the server stopped. The run is queued again. */
export type SegmentEnd =
  | { readonly type: "drained" }
  | { readonly type: "waiting"; readonly pending: readonly PendingInterrupt[] }
  | {
      readonly type: "ended";
      readonly status: Extract<RunStatus, "succeeded" | "failed" | "cancelled">;
      readonly termination: Termination;
      readonly report: Report | null;
      readonly error: { readonly code: string; readonly message: string } | null;
    };

export interface SegmentEnding {
  readonly log: UnwrittenLog;
  /** The events that readers may see only together with the end. */
  readonly lastEvents: readonly LoggedEvent[];
  readonly at: number;
}

/** Each write is one transaction. A refused write throws `storage_unavailable`, and one that meets a damaged page `storage_damaged`; both change nothing. */
export interface RunStore {
  /**
   * A known idempotency key stores nothing and returns the first run. `stopped` are the runs in flight that are to be cancelled.
   * @throws DossierError `thread_busy`, `too_many_runs`, `budget_exhausted`
   */
  create(run: NewRun): Promise<{ id: string; created: boolean; requestHash: string; stopped: readonly string[] }>;
  /** Stores a fork and queues it. @throws DossierError `not_found`, `run_not_finished`, `invalid_request` if no step begins after the event */
  fork(fork: Fork): Promise<void>;
  findByKey(tenant: string, idempotencyKey: string): Promise<{ id: string; requestHash: string } | null>;
  countQueued(tenant?: string): Promise<number>;
  /** How many queued runs may start at a time, and when the oldest of them was created. */
  queueAt(at: number): Promise<{ queued: number; oldestAt: number | null }>;
  get(tenant: string, runId: string): Promise<Run | null>;
  list(tenant: string, filter: RunFilter): Promise<RunPage>;
  /**
   * Claims queued runs, at most one per thread: the first ones of their tenants, then the oldest. A new run gets the history of its thread.
   * Runs that `recover` returned come alone, before all others.
   * `isHeld`: a run that was in flight at two crashes waits until this process executes no other one.
   */
  claim(request: ClaimRequest): Promise<{ runs: ClaimedRun[]; isHeld: boolean }>;
  /**
   * Call it at the start. With a database of one process, queues the runs that a dead process left in flight, and counts its crash. Returns
   * the queued runs that were in flight at two crashes without a new result since, those that were started last first.
   */
  recover(): Promise<string[]>;
  /**
   * Renews the leases of the runs that this process executes. Returns those that it has lost to another process, those that are to be
   * cancelled, and whether a run is queued whose time has come.
   */
  look(runIds: readonly string[], at: number): Promise<{ lost: string[]; cancelled: string[]; isDue: boolean }>;
  /** Returns the number of crashes while this run was in flight, alone or not, without a new result since. */
  crashesOf(runId: string): Promise<number>;
  forget(owner: Ownership): void;
  /**
   * Queues the run again, and writes what `log` contains. If `crashed` is true, this counts as a crash of the run alone.
   * @throws DossierError `fenced`
   */
  release(owner: Ownership, options: { crashed: boolean; log?: UnwrittenLog }): Promise<void>;
  /** Writes what `log` contains when the write begins. @throws DossierError `fenced` */
  append(owner: Ownership, log: UnwrittenLog): Promise<void>;
  repliesOf(effect: Ownership & { readonly segment: number; readonly key: string }): EffectReplies;
  /** Starts the segment again with a new journal, and logs `run-restarted`. @throws DossierError `fenced` */
  restart(owner: Ownership, options: { reason: string; fingerprint: string; at: number }): Promise<ClaimedRun>;
  /**
   * Writes the last events, the new status and, unless the run has ended, its checkpoints in one transaction. @throws DossierError `fenced`
   */
  endSegment(owner: Ownership, end: SegmentEnd, options: SegmentEnding): Promise<void>;
  /** Cancels a queued or waiting run. Asks the owner of a running run to stop (`requested`). */
  requestCancel(tenant: string, runId: string, at: number): Promise<"cancelled" | "requested" | "ended" | "unknown">;
  /** Cancels at most 100 waiting runs without an event since `before`; returns their ids. */
  cancelWaiting(before: number, at: number): Promise<string[]>;
  pending(runId: string): Promise<PendingInterrupt[]>;
  /** The last missing answer queues the run. Returns false if no question waits for this answer. */
  answer(runId: string, pendingId: string, answer: JsonValue, at: number): Promise<boolean>;
  childrenOf(runId: string): Promise<readonly Child[]>;
  events(runId: string, after: number, limit: number): Promise<RunEvent[]>;
  head(tenant: string, runId: string): Promise<{ seq: number; status: RunStatus } | null>;
  /** Returns false if there is no such run. */
  rename(tenant: string, runId: string, title: string | null): Promise<boolean>;
  /** Returns false and deletes nothing if the run is queued or running. */
  delete(tenant: string, runId: string): Promise<boolean>;
  /** Lists at most `limit` runs of these tenants that ended before `before`, those that ended first. */
  listEnded(before: number, limit: number, whose: Tenants): Promise<{ tenant: string; id: string }[]>;
  /** The bytes of all files in the data folder. */
  bytes(): Promise<number>;
  /** What the database takes when the space of deleted data is given back to the disk; 0 if it gives none back. */
  lastingBytes(): Promise<number>;
  /** Gives the space of deleted data back to the disk, in steps between which others write. The files shrink seconds later. */
  freeSpace(signal: AbortSignal): Promise<void>;
  segments(runId: string): Promise<Segment[]>;
  journal(runId: string): AsyncIterable<{ segment: number; epoch: number; record: JournalRecord }>;
  loggedEvents(runId: string): AsyncIterable<{ seq: number; event: LoggedEvent }>;
  documentHashes(runId: string): Promise<string[]>;
}
