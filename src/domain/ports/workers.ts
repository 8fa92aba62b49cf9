/** Runs functions in worker threads, so that heavy work does not block the event loop. */
export interface WorkerPool {
  /**
   * Calls the function `name` that the module `entry` exports. Task and result are copied between the threads.
   * @throws DossierError `timeout` after `timeoutMs`, `internal` if the function fails or its thread ends; the reason of `signal`
   */
  run<Task, Result>(entry: URL, name: string, task: Task, limits: { timeoutMs: number; signal?: AbortSignal }): Promise<Result>;
  /** Ends all threads. Tasks that run fail. */
  close(): Promise<void>;
}
