import { type ChildProcess, execFile, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { DossierError, toDossierError } from "../../errors.ts";

const PS_TIMEOUT_MS = 1_000;
const runFile = promisify(execFile);

/** The memory of a process that is resident, in bytes; 0 where that cannot be told, as of a process that has ended. */
async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === "linux") {
      // No disk is behind it: it takes microseconds, and waits for no other file.
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    }
    const { stdout } = await runFile("ps", ["-o", "rss=", "-p", String(pid)], { timeout: PS_TIMEOUT_MS });
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}

export interface TaskLimits {
  readonly timeoutMs: number;
  /** Resident memory of the whole process, its program included. */
  readonly maxResidentBytes: number;
}

/** How a task ended: the child's answer as it came, or what ended the child. */
type Ending =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "exited"; readonly how: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "memory" }
  | { readonly kind: "aborted" };

export interface Outcome {
  readonly ending: Ending;
  readonly ms: number;
  readonly peakBytes: number;
}

const START_TIMEOUT_MS = 30_000;
const SAMPLE_MS = 50;
/** Of the memory a process may hold, its program takes the rest; new objects get little, or the heap would grow far before it is tidied. */
const HEAP_SHARE = 0.6;
const NEW_SPACE = "--max-semi-space-size=4";

/** A process that performs one task at a time. It does not keep this one alive while it has none. */
export class TaskProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<boolean>;
  readonly #exited: Promise<string>;

  constructor(entry: URL, limits: TaskLimits) {
    const heapMegabytes = Math.floor((limits.maxResidentBytes * HEAP_SHARE) / 2 ** 20);
    this.#child = fork(entry, [], {
      // It may read files, as programs do, and nothing else: neither write nor start anything but a thread.
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

  /** Whether it can be given a task. */
  get usable(): boolean {
    return this.#child.connected;
  }

  /**
   * Performs `task`; whatever goes wrong with it or with the process is in the outcome, and the process is then gone.
   * @throws DossierError `internal` when the process did not start
   */
  async perform(task: object, limits: TaskLimits, signal: AbortSignal): Promise<Outcome> {
    this.#hold();
    const done = new AbortController();
    try {
      const aborted = once(signal, done.signal);
      await this.#started(aborted, done.signal);
      const from = performance.now();
      const memory = { peak: 0 };
      const answered = this.#answer();
      this.#child.send(task, () => {});
      const ending = await Promise.race<Ending>([
        answered.then((answer) => ({ kind: "answered", answer })),
        this.#exited.then((how) => ({ kind: "exited", how })),
        after(limits.timeoutMs, done.signal).then(() => ({ kind: "timeout" })),
        this.#outgrows(limits.maxResidentBytes, memory, done.signal).then(() => ({ kind: "memory" })),
        aborted.then(() => ({ kind: "aborted" })),
      ]);
      if (ending.kind !== "answered") await this.kill();
      else memory.peak = Math.max(memory.peak, await residentBytes(this.pid));
      return { ending, ms: performance.now() - from, peakBytes: memory.peak };
    } finally {
      done.abort();
      this.#release();
    }
  }

  async kill(): Promise<void> {
    // Whoever waits for the end of an idle process has to be kept alive until then.
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async #started(aborted: Promise<void>, done: AbortSignal): Promise<void> {
    const started = await Promise.race([this.#ready, after(START_TIMEOUT_MS, done).then(() => false), aborted.then(() => true)]);
    if (started) return;
    this.#child.kill("SIGKILL");
    throw new DossierError("internal", "The process that reads documents could not be started.");
  }

  #answer(): Promise<unknown> {
    return new Promise((resolve) => this.#child.once("message", resolve));
  }

  /** Resolves when the process holds more than `maxBytes`. */
  async #outgrows(maxBytes: number, memory: { peak: number }, done: AbortSignal): Promise<void> {
    do {
      await after(SAMPLE_MS, done);
      memory.peak = Math.max(memory.peak, await residentBytes(this.pid));
    } while (memory.peak <= maxBytes);
  }

  #hold(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  #release(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

function after(ms: number, done: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: done });
}

/** Resolves when `signal` is aborted; its listener goes with `done`. */
function once(signal: AbortSignal, done: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true, signal: done }));
}

/** What a child process says of a task. `spent`: the failure was not foreseen, and the process is not to be used again. */
type Answer =
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
