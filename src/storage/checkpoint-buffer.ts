import type { Ownership } from "../domain/ports/run-store.ts";

/** Checkpoints of executions that write them only together with the end of a segment, each attempt its own. */
export interface CheckpointBuffer {
  /** From now on what LangGraph stores for the attempt is kept back. Of a run that `isNew` nothing is stored yet. */
  hold(owner: Ownership, isNew: boolean): void;
  /** Serialises what was kept back; call what it returns inside the transaction that ends the segment. */
  prepare(owner: Ownership): Promise<() => void>;
  /** Forgets what was kept back, and whatever else the attempt brings forth. */
  drop(owner: Ownership): void;
  /** Removes the run's checkpoints; call it inside a transaction. */
  delete(runId: string): void;
}
