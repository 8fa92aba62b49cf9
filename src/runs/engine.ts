import { setTimeout as pause } from "node:timers/promises";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { isTurnOver, takeTurn } from "../util/turns.ts";
import { Execution, type ExecutionDeps } from "./execute-run.ts";

const RETRY_MS = 1_000;
const MAX_STOPPED = 10_000;
/** How long a shutdown waits until abandoned runs are back in the queue, and how long if another program has locked the database. */
const LEAVE_MS = 8_000;
const LEAVE_LOCKED_MS = 1_000;
/** How long a run that was in flight at two crashes may work alone before the next one starts. */
const ALONE_MS = 10_000;
const LOOK_MS = 50;
/** A claim holds the event loop, for about half a millisecond for each run. */
const CLAIMED_AT_ONCE = 20;

/** Executes the queued runs of this process, oldest first. Two runs of one conversation thread never run at the same time. */
export class Engine {
  readonly #deps: ExecutionDeps;
  readonly #concurrency: number;
  readonly #active = new Map<string, Execution>();
  /** These runs were cancelled during a claim, which may therefore return them as not cancelled. */
  readonly #cancelled = new Set<string>();
  /** Runs whose cancel is not yet stored, the oldest first. */
  readonly #stopped = new Set<string>();
  #claiming: Promise<void> | null = null;
  /** Start these one at a time, before all others. */
  #crashedTwice: readonly string[] = [];
  #poked = false;
  #mustRequeue = false;
  /** Why the last claim failed. */
  #refusal: string | null = null;
  readonly #drained = new AbortController();
  /** When all runs were abandoned, by `performance.now()`. */
  #leavingSince: number | null = null;

  constructor(deps: ExecutionDeps, concurrency: number) {
    this.#deps = deps;
    this.#concurrency = concurrency;
  }

  get draining(): boolean {
    return this.#drained.signal.aborted;
  }

  get state(): { active: number } {
    return { active: this.#active.size };
  }

  /** Queues the runs that a dead process left running, and starts. Returns how many runs the queue then has. */
  async recover(): Promise<number> {
    this.#mustRequeue = true;
    // A claim tries again what is refused here.
    await this.#requeue().catch(() => undefined);
    const queued = await this.#deps.store.countQueued();
    this.poke();
    return queued;
  }

  async #requeue(): Promise<void> {
    this.#crashedTwice = await this.#deps.store.requeueUnfinished();
    this.#mustRequeue = false;
    if (this.#crashedTwice.length > 0) this.#deps.onStartAlone(this.#crashedTwice);
  }

  /** Call this after anything that may have queued a run or freed a slot. */
  poke(): void {
    this.#poked = true;
    this.#claiming ??= this.#claimAll().finally(() => {
      this.#claiming = null;
      this.#cancelled.clear();
      // poke() may have run after the last claim and before this callback.
      if (this.#poked && this.#hasRoom) this.poke();
    });
  }

  /** Call this when the cancel of a run is stored. */
  cancel(runId: string): void {
    if (this.#claiming !== null) this.#cancelled.add(runId);
    this.#stopped.delete(runId);
    this.#active.get(runId)?.send("cancel");
  }

  /** Stops the work of a run and of all its later attempts in this process, even if no cancel can be stored. Returns whether it works. */
  cancelActive(runId: string): boolean {
    const execution = this.#active.get(runId);
    if (execution === undefined) return false;
    const [oldest = runId] = this.#stopped;
    if (this.#stopped.size >= MAX_STOPPED) this.#stopped.delete(oldest);
    this.#stopped.add(runId);
    execution.send("cancel");
    return true;
  }

  /** Starts no more runs and lets active steps finish. Abandons runs after `timeoutMs`; the next start recovers them. */
  async drain(timeoutMs: number): Promise<void> {
    this.#drained.abort();
    const limit = new AbortController();
    for (const execution of this.#active.values()) execution.send("drain");
    // A claim executes nothing from now on, but it may wait for a lock of another program.
    const all = Promise.allSettled([this.#claiming, ...[...this.#active.values()].map((execution) => execution.done)]);
    await Promise.race([all, pause(timeoutMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
    for (const execution of this.#active.values())
      execution.abandon(new DossierError("draining", "The server shut down during this step. The run continues after the restart."));
    await this.#leave(all);
  }

  /** Waits for the last writes. The next start recovers what is not written. */
  async #leave(all: Promise<unknown>): Promise<void> {
    this.#leavingSince ??= performance.now();
    const since = this.#leavingSince;
    let hasLeft = false;
    const left = all.then(() => {
      hasLeft = true;
    });
    const limitMs = () => (this.#deps.store.isLocked ? LEAVE_LOCKED_MS : LEAVE_MS);
    do await Promise.race([left, pause(LOOK_MS)]);
    while (!hasLeft && performance.now() - since < limitMs());
  }

  async #claimAll(): Promise<void> {
    while (this.#poked && this.#hasRoom) {
      this.#poked = false;
      await this.#startRuns().then(
        () => {
          this.#refusal = null;
        },
        (error: unknown) => this.#retryLater(error),
      );
    }
  }

  async #startRuns(): Promise<void> {
    if (this.#mustRequeue) await this.#requeue();
    await this.#startAlone();
    if (this.#hasRoom) await this.#claim(this.#concurrency - this.#active.size);
  }

  async #claim(limit: number, only?: string): Promise<void> {
    const { store, graphs, clock, onCommit } = this.#deps;
    const fingerprintOf = (graph: string): string => graphs.get(graph)?.fingerprint ?? "";
    const claimed = await store.claim(clock(), Math.min(limit, CLAIMED_AT_ONCE), fingerprintOf, only);
    if (claimed.length === CLAIMED_AT_ONCE) this.#poked = true;
    for (const run of claimed) {
      if (isTurnOver()) await takeTurn();
      onCommit(run.runId);
      if (this.draining) await this.#return(run);
      else this.#execute(run);
    }
  }

  /** If this fails, the next start recovers the run. */
  async #return(run: ClaimedRun): Promise<void> {
    this.#deps.store.forget(run);
    await this.#deps.store.release(run, { crashed: false }).catch(() => undefined);
  }

  /**
   * After two crashes, starts the runs that were in flight one at a time, until each has recorded a result or has had its time: the next
   * crash is then that of a run alone.
   */
  async #startAlone(): Promise<void> {
    const { clock } = this.#deps;
    while (this.#hasRoom && this.#crashedTwice.length > 0) {
      const [runId = "", ...others] = this.#crashedTwice;
      await this.#claim(1, runId);
      this.#crashedTwice = others;
      const until = clock() + ALONE_MS;
      while (clock() < until && (await this.#isStuck(runId))) await pause(LOOK_MS);
    }
  }

  /** Whether the run is in flight and has recorded nothing since its last crash. */
  async #isStuck(runId: string): Promise<boolean> {
    if (this.draining || !this.#active.has(runId)) return false;
    return (await this.#deps.store.crashesOf(runId).catch(() => 0)) > 0;
  }

  get #hasRoom(): boolean {
    return !this.draining && this.#active.size < this.#concurrency;
  }

  #retryLater(error: unknown): void {
    if (this.draining) return;
    const cause = toDossierError(error);
    // The storage reports refused writes itself.
    if (cause.code !== "storage_unavailable" && cause.message !== this.#refusal)
      this.#deps.onError("could not claim queued runs; trying again each second", null, cause);
    this.#refusal = cause.message;
    setTimeout(() => this.poke(), RETRY_MS).unref();
  }

  #execute(run: ClaimedRun): void {
    const execution = new Execution(run, this.#deps);
    this.#active.set(run.runId, execution);
    if (this.#cancelled.has(run.runId) || this.#stopped.has(run.runId)) execution.send("cancel");
    void execution.done.then(() => {
      this.#active.delete(run.runId);
      return this.#refill();
    });
  }

  async #refill(): Promise<void> {
    if (this.draining) return;
    const queued = await this.#deps.store.countQueued().catch(() => 1);
    if (this.#poked || queued > 0) this.poke();
  }
}
