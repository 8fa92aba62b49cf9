/** Checkpoints of executions that write them only together with the end of a segment. */
export interface CheckpointBuffer {
  /** From now on what LangGraph stores for the thread is kept back. */
  hold(threadId: string): void;
  /** Writes what was kept back; call it inside the transaction that ends the segment. */
  write(threadId: string): void;
  /** Forgets what was kept back. */
  drop(threadId: string): void;
  /** Removes the thread's checkpoints; call it inside a transaction. */
  delete(threadId: string): void;
}
