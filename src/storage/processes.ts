import type { WorkerState } from "../domain/ports/run-service.ts";
import type { SharedLimits } from "../domain/ports/shared-limits.ts";
import type { RunQueue } from "./run-queue.ts";

/** The other processes that use the database. What is told them may be lost. */
export interface Peers {
  /** Tells that a run has new events, or is to be cancelled. */
  tell(runId: string): void;
  /** `queued`: runs may be claimed. */
  listen(onHeard: (heard: { readonly runs: readonly string[]; readonly queued: boolean }) => void): void;
}

/** What processes that use one database share. */
export interface Shared {
  readonly queue: RunQueue;
  readonly peers: Peers;
  readonly limits: SharedLimits;
  /**
   * Performs `work` each minute or hour, in one process at a time. If it fails, it comes again. A process that is alone begins at once, and the
   * promise resolves after that.
   */
  schedule(name: string, every: "minute" | "hour", work: () => Promise<unknown>): Promise<void>;
  /** Lists the processes that have spoken lately. */
  workers(): Promise<WorkerState[]>;
  /** Calls `work` for each run whose processes died too often, whatever the reason. */
  onDead(work: (runId: string) => Promise<unknown>): Promise<void>;
}
