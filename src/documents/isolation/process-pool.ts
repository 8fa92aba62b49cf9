import PQueue from "p-queue";
import { DossierError } from "../../errors.ts";
import { type Outcome, type TaskLimits, TaskProcess } from "./child-process.ts";

export interface ProcessPoolOptions extends TaskLimits {
  /** The program of the processes: a module that calls `serveTasks`. */
  readonly entry: URL;
  readonly size: number;
  /** A process without a task is ended after so long. */
  readonly idleMs: number;
  /** A process that has grown so far is ended after its task: what WebAssembly has taken it does not give back. */
  readonly maxIdleBytes: number;
}

/** Child processes that are started when they are needed, used again, and ended when they are idle or a task spoils them. */
export interface ProcessPool {
  /** Waits for a process and performs `task` in it. `isFit` says of the outcome whether the process may be used again. */
  run(task: object, signal: AbortSignal, isFit: (outcome: Outcome) => boolean): Promise<Outcome>;
  /** Ends every process; what runs in them is over with `aborted`. */
  close(): Promise<void>;
}

export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const queue = new PQueue({ concurrency: options.size });
  const idle = new Map<TaskProcess, NodeJS.Timeout>();
  const closing = new AbortController();

  function take(): TaskProcess {
    for (const [child, timer] of [...idle].reverse()) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.usable) return child;
    }
    return new TaskProcess(options.entry, options);
  }

  function park(child: TaskProcess): void {
    const timer = setTimeout(() => {
      idle.delete(child);
      void child.kill();
    }, options.idleMs);
    idle.set(child, timer.unref());
  }

  async function perform(task: object, signal: AbortSignal, isFit: (outcome: Outcome) => boolean): Promise<Outcome> {
    const ending = AbortSignal.any([signal, closing.signal]);
    if (ending.aborted) return { ending: { kind: "aborted" }, ms: 0, peakBytes: 0 };
    const child = take();
    const outcome = await child.perform(task, options, ending);
    if (outcome.ending.kind !== "answered") return outcome;
    if (!closing.signal.aborted && outcome.peakBytes <= options.maxIdleBytes && isFit(outcome)) park(child);
    else await child.kill();
    return outcome;
  }

  return {
    run: (task, signal, isFit) => queue.add(() => perform(task, signal, isFit)),
    async close() {
      closing.abort(new DossierError("cancelled", "The service is closing."));
      const children = [...idle.keys()];
      for (const timer of idle.values()) clearTimeout(timer);
      idle.clear();
      await Promise.all([queue.onIdle(), ...children.map((child) => child.kill())]);
    },
  };
}
