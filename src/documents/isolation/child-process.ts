import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { DossierError, toDossierError } from "../../errors.ts";
import { processorMs, residentBytes } from "./process-usage.ts";

export interface TaskLimits {
  /** Of work. A process that waits for a processor, on a busy machine, may take up to four times as long. */
  readonly timeoutMs: number;
  readonly maxResidentBytes: number;
}

type Ending<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "exited"; readonly how: string }
  | { readonly kind: "timeout" | "memory" | "aborted" };

export interface Outcome<Answer> {
  readonly ending: Ending<Answer>;
  readonly ms: number;
  readonly peakBytes: number;
}

const START_TIMEOUT_MS = 30_000;
const SAMPLE_MS = 50;
const MAX_WAITING = 4;
const MAX_HEAP_SHARE = 0.6;
/** A small young generation is collected often, which keeps memory low. */
const NEW_SPACE = "--max-semi-space-size=4";

/** A child process for one task at a time. It keeps this process alive only during a task. */
export class TaskProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<boolean>;
  readonly #exited: Promise<string>;

  constructor(entry: URL, limits: TaskLimits) {
    const heapMegabytes = Math.floor((limits.maxResidentBytes * MAX_HEAP_SHARE) / 2 ** 20);
    this.#child = fork(entry, [], {
      // The child may read files and start threads, but not write files or start processes.
      execArgv: ["--permission", "--allow-fs-read=*", "--allow-worker", `--max-old-space-size=${heapMegabytes}`, NEW_SPACE],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
      this.#child.once("error", (error) => resolve(error.message));
    });
    this.#ready = new Promise((resolve) => {
      this.#child.once("message", () => resolve(true));
      void this.#exited.then(() => resolve(false));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get usable(): boolean {
    return this.#child.connected;
  }

  /** Kills the process if no answer comes. @throws DossierError `internal` if the process does not start */
  async perform(task: object, limits: TaskLimits, signal: AbortSignal): Promise<Outcome<unknown>> {
    this.#child.ref();
    this.#child.channel?.ref();
    const done = new AbortController();
    try {
      const aborted = once(signal, done.signal);
      await this.#started(aborted, done.signal);
      const from = performance.now();
      const memory = { peak: 0 };
      const answered = new Promise((resolve) => this.#child.once("message", resolve));
      this.#child.send(task, () => {});
      const ending = await Promise.race<Ending<unknown>>([
        answered.then((answer) => ({ kind: "answered", answer })),
        this.#exited.then((how) => ({ kind: "exited", how })),
        this.#overruns(limits.timeoutMs, done.signal).then(() => ({ kind: "timeout" })),
        this.#outgrows(limits.maxResidentBytes, memory, done.signal).then(() => ({ kind: "memory" })),
        aborted.then(() => ({ kind: "aborted" })),
      ]);
      if (ending.kind !== "answered") await this.kill();
      else memory.peak = Math.max(memory.peak, await residentBytes(this.pid));
      return { ending, ms: performance.now() - from, peakBytes: memory.peak };
    } finally {
      done.abort();
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  async kill(): Promise<void> {
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async #started(aborted: Promise<void>, done: AbortSignal): Promise<void> {
    const started = await Promise.race([this.#ready, after(START_TIMEOUT_MS, done).then(() => false), aborted.then(() => true)]);
    if (started) return;
    this.#child.kill("SIGKILL");
    throw new DossierError("internal", "The document was not read: the process for reading documents did not start. Try again.");
  }

  async #overruns(timeoutMs: number, done: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_WAITING * timeoutMs;
    const before = processorMs(this.pid);
    for (let leftMs = timeoutMs; leftMs > 0; ) {
      await after(leftMs, done);
      const now = processorMs(this.pid);
      leftMs = before === null || now === null ? 0 : Math.min(timeoutMs - (now - before), until - performance.now());
    }
  }

  async #outgrows(maxBytes: number, memory: { peak: number }, done: AbortSignal): Promise<void> {
    do {
      await after(SAMPLE_MS, done);
      memory.peak = Math.max(memory.peak, await residentBytes(this.pid));
    } while (memory.peak <= maxBytes);
  }
}

function after(ms: number, done: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: done });
}

function once(signal: AbortSignal, done: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true, signal: done }));
}

/** `spent`: an unexpected failure may have broken the process, so it gets no further task. */
type Answer =
  | { readonly result: unknown }
  | { readonly failure: { readonly code: string; readonly message: string }; readonly spent: boolean };

/** A thread kills the process when its parent has ended, even while a task blocks the main thread. */
const ORPHAN_WATCH = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL"); }, 1000);`;

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
    if (error) process.exit(1);
  });
}

function failureOf(error: unknown): Answer {
  const { code, message } = toDossierError(error, "unreadable");
  const spent = !(error instanceof DossierError) || error.cause !== undefined;
  return { failure: { code, message }, spent };
}
