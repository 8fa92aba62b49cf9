import type { DossierError } from "../../errors.ts";
import type { RunEvent } from "../events.ts";
import type { JsonValue } from "../json.ts";
import type { JournalRecord, LoggedEvent, Pause, Segment } from "../recording.ts";
import type { Report } from "../report.ts";
import type { ResearchRequest, Task } from "../request.ts";
import type { Pending, Run, RunStatus, Termination } from "../run.ts";
import type { Spent } from "../spent.ts";
import type { Child } from "../team.ts";
import type { EarlierSegment } from "./journal.ts";
import type { RunPage } from "./run-service.ts";

/** The right to write for a run: an older attempt is refused by the database (`fenced`). */
export interface Ownership {
  readonly runId: string;
  readonly attempt: number;
}

export interface NewRun {
  readonly id: string;
  readonly tenant: string;
  readonly threadId: string;
  readonly request: ResearchRequest;
  readonly task: Task;
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
  readonly at: number;
}

/** A run that this process has just come to own, with all that an earlier attempt left of its segment. */
export interface ClaimedRun extends Ownership {
  /** Attempts in which the process died or the program failed. */
  readonly crashes: number;
  readonly tenant: string;
  readonly threadId: string;
  readonly graph: string;
  readonly segment: Segment;
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
  /** What the epochs before a restart recorded, each in order, oldest epoch first. */
  readonly cache: readonly (readonly JournalRecord[])[];
  /** LangGraph's interrupt ids by the ids of the questions that this segment answers. */
  readonly interrupts: Readonly<Record<string, string>>;
  readonly cancelRequested: boolean;
  /** When it stood still before this attempt. */
  readonly pauses: readonly Pause[];
  /** What the model calls of its segments before this one have taken. */
  readonly spent: Spent;
  /** Those segments, in order. */
  readonly earlier: readonly EarlierSegment[];
  /** Milliseconds this run has been running before. */
  readonly ranMs: number;
  readonly limits: Task["limits"];
  /** Why the run cannot be executed: what is stored of it cannot be read. Segment, records and limits are then empty. */
  readonly fault: DossierError | null;
}

/** Names the code and the shape of a graph as they are now; empty where there is no such graph. */
export type FingerprintOf = (graph: string) => string;

export interface PendingInterrupt extends Pending {
  readonly interruptId: string;
}

export interface LogBatch {
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
}

/** What has been said and not been written yet. */
export interface UnwrittenLog {
  peek(): LogBatch;
  /** Called in the transaction that has written all of it. */
  written(): void;
}

export interface EndOptions {
  readonly log: UnwrittenLog;
  readonly at: number;
}

/** How a segment ended. A drained one is queued again with `continue` as its next segment. */
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

/**
 * Runs, their segments, journal and events. Every write is one transaction; reads see committed rows only. Where the database refuses,
 * a full disk perhaps, a write fails with `storage_unavailable` and nothing is changed.
 */
export interface RunStore {
  /** With a known idempotency key nothing is stored and the first run's id and request hash come back. */
  create(run: NewRun): Promise<{ id: string; created: boolean; requestHash: string }>;
  /** The run that was stored under the key, whatever this server would allow now. */
  findByKey(tenant: string, idempotencyKey: string): Promise<{ id: string; requestHash: string } | null>;
  countQueued(): Promise<number>;
  /** With the todos as the log told them last; lists of runs have none. */
  get(tenant: string, runId: string): Promise<Run | null>;
  list(tenant: string, filter: { status?: RunStatus; threadId?: string; limit: number; cursor?: string }): Promise<RunPage>;
  /**
   * Takes at most `limit` queued runs, the oldest first and one of each thread that is idle, under a new attempt, and logs
   * `run-started`. A run that starts is given the finished questions of its thread; a segment of which nothing is recorded begins
   * on the code of now.
   */
  claim(at: number, limit: number, fingerprintOf: FingerprintOf): Promise<ClaimedRun[]>;
  /** Puts runs that a dead process left running back into the queue, and counts a crash of each; returns how many. */
  requeueUnfinished(): Promise<number>;
  /** Drops what the attempt has kept back for the end of its segment, because it has lost its run. */
  forget(owner: Ownership): void;
  /** Gives the run back to the queue, where this attempt still has it; `crashed` counts against the run. */
  release(owner: Ownership, options: { crashed: boolean }): Promise<void>;
  /** Appends to journal and log under the fence; all that has been said by the time it is written. @throws DossierError `fenced` */
  append(owner: Ownership, log: UnwrittenLog): Promise<void>;
  /** Begins the segment again as a new epoch on `fingerprint` and logs `run-restarted`. @throws DossierError `fenced` */
  restart(owner: Ownership, options: { reason: string; fingerprint: string; at: number }): Promise<ClaimedRun>;
  /** Writes the last events, the checkpoints and the new status at once. @throws DossierError `fenced` */
  endSegment(owner: Ownership, end: SegmentEnd, options: EndOptions): Promise<void>;
  /** `cancelled` where it had not been running, `requested` where its owner must stop it, `ended` where it is over. */
  requestCancel(tenant: string, runId: string, at: number): Promise<"cancelled" | "requested" | "ended" | "unknown">;
  /** Cancels the runs (100 at most) that wait, and of which nothing has been said since `before`; returns their ids. */
  cancelWaiting(before: number, at: number): Promise<string[]>;
  pending(runId: string): Promise<PendingInterrupt[]>;
  /** Stores the answer; when no question is left open the run is queued with the answers as its next segment. */
  answer(runId: string, pendingId: string, answer: JsonValue, at: number): Promise<boolean>;
  /** The children of a team as its log has them; none where there is no team. */
  childrenOf(runId: string): Promise<readonly Child[]>;
  /** At most `limit` events after `after`, by `seq`. */
  events(runId: string, after: number, limit: number): Promise<RunEvent[]>;
  head(tenant: string, runId: string): Promise<{ seq: number; status: RunStatus } | null>;
  /** `false` while the run is queued or running. */
  delete(tenant: string, runId: string): Promise<boolean>;
  segments(runId: string): Promise<Segment[]>;
  journal(runId: string): AsyncIterable<{ segment: number; epoch: number; record: JournalRecord }>;
  loggedEvents(runId: string): AsyncIterable<{ seq: number; event: LoggedEvent }>;
  documentHashes(runId: string): Promise<string[]>;
}
