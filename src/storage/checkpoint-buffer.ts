/** Checkpoints of executions that write them only together with the end of a segment. */
export interface CheckpointBuffer {
  /** From now on what LangGraph stores for the thread is kept back. Of a thread that `isNew` nothing is stored yet. */
  hold(threadId: string, isNew: boolean): void;
  /** Serialises what was kept back; call what it returns inside the transaction that ends the segment. */
  prepare(threadId: string): Promise<() => void>;
  /** Forgets what was kept back. */
  drop(threadId: string): void;
  /** Removes the thread's checkpoints; call it inside a transaction. */
  delete(threadId: string): void;
}
