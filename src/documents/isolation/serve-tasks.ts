import { Worker } from "node:worker_threads";
import { DossierError, toDossierError } from "../../errors.ts";

/** What a child process says of a task. `spent`: the failure was not foreseen, and the process is not to be used again. */
export type Answer =
  | { readonly result: unknown }
  | { readonly failure: { readonly code: string; readonly message: string }; readonly spent: boolean };

/** Ends the process when its parent is gone, also while a task keeps the main thread busy for ever. */
const ORPHAN_WATCH = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL"); }, 1000);`;

/** Makes this process a child of a process pool: performs each task that is sent to it, and says when it is ready. */
export function serveTasks(perform: (task: unknown) => Promise<unknown>): void {
  new Worker(ORPHAN_WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
  process.on("disconnect", () => process.exit());
  process.on("message", (task) => {
    perform(task).then(
      (result) => answer({ result }),
      (error: unknown) => answer(failureOf(error)),
    );
  });
  process.send?.("ready");
}

function answer(message: Answer): void {
  process.send?.(message, undefined, undefined, (error) => {
    // The parent is gone, or cannot be told: it will see that the process has ended.
    if (error) process.exit(1);
  });
}

function failureOf(error: unknown): Answer {
  const { code, message } = toDossierError(error, "unreadable");
  const spent = !(error instanceof DossierError) || error.cause !== undefined;
  return { failure: { code, message }, spent };
}
