export interface TaskLimits {
  /** Waiting for a thread does not count. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** How many characters the task reads, if they may be many. Large tasks leave a thread to the others. */
  readonly size?: number;
}

/** Runs functions in worker threads, so that heavy work does not block the event loop. */
export interface WorkerPool {
  /**
   * Calls the function `name` that the module `entry` exports. Task and result are copied between the threads.
   * @throws DossierError `timeout` after `timeoutMs`, `internal` if the function fails or its thread ends; the reason of `signal`
   */
  run<Task, Result>(entry: URL, name: string, task: Task, limits: TaskLimits): Promise<Result>;
  /** Ends all threads. Tasks that run fail. */
  close(): Promise<void>;
}
