import { setTimeout as pause } from "node:timers/promises";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { isTurnOver, takeTurn } from "../util/turns.ts";
import { Execution, type ExecutionDeps } from "./execute-run.ts";

const RETRY_MS = 1_000;
/** How long a shutdown waits until abandoned runs are back in the queue. */
const LEAVE_MS = 8_000;
/** How long a run that was in flight at two crashes may work alone before the next one starts. */
const ALONE_MS = 10_000;
const LOOK_MS = 50;
/** A claim holds the event loop, for about half a millisecond for each run. */
const CLAIMED_AT_ONCE = 20;

/** How often leases are renewed, and how late at most a cancel comes that another process has stored. */
const LOOK_FOR_OTHERS_MS = 1_000;

/**
 * Executes queued runs in this process. Two runs of one conversation thread never run at the same time, and a run is executed by one process
 * at a time: others take it over when this one has not renewed its lease.
 */
export class Engine {
  readonly #deps: ExecutionDeps;
  readonly #concurrency: number;
  readonly #active = new Map<string, Execution>();
  /** These runs were cancelled during a claim, which may therefore return them as not cancelled. */
  readonly #cancelled = new Set<string>();
  /** Runs that were claimed and are not yet executed. */
  readonly #claimed = new Set<string>();
  #claiming: Promise<void> | null = null;
  #poked = false;
  #mustRecover = false;
  /** Whether a run waits until this process executes no other one. */
  #isHeld = false;
  #looking: NodeJS.Timeout | undefined;
  /** Why the last claim failed. */
  #refusal: string | null = null;
  readonly #drained = new AbortController();

  constructor(deps: ExecutionDeps, concurrency: number) {
    this.#deps = deps;
    this.#concurrency = concurrency;
  }

  get draining(): boolean {
    return this.#drained.signal.aborted;
  }

  /** Whether other processes may queue runs, and execute those of this one. */
  get hasOthers(): boolean {
    return this.#deps.hasOthers;
  }

  get state(): { active: number } {
    return { active: this.#active.size };
  }

  /** Queues the runs that a dead process left running, and starts. Returns how many runs the queue then has. */
  async recover(): Promise<number> {
    this.#mustRecover = true;
    // A claim tries again what is refused here.
    await this.#recover().catch(() => undefined);
    const queued = await this.#deps.store.countQueued();
    this.poke();
    // What fails here is tried again a second later, and the storage reports refusals itself.
    this.#looking = setInterval(() => void this.#look().catch(() => undefined), LOOK_FOR_OTHERS_MS).unref();
    return queued;
  }

  async #recover(): Promise<void> {
    const crashedTwice = await this.#deps.store.recover();
    this.#mustRecover = false;
    if (crashedTwice.length > 0) this.#deps.onStartAlone(crashedTwice);
  }

  /** Call this when another process has changed a run. */
  heard(runId: string): void {
    if (this.#active.has(runId)) void this.#look().catch(() => undefined);
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#deps;
    const { lost, cancelled, isDue } = await store.look([...this.#active.keys(), ...this.#claimed], clock());
    const error = new DossierError("fenced", "Another process has taken over the run.");
    for (const runId of lost) this.#active.get(runId)?.abandon(error);
    for (const runId of cancelled) this.#active.get(runId)?.send("cancel");
    if (isDue || this.#deps.hasOthers) this.poke();
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
    this.#active.get(runId)?.send("cancel");
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
    // The next start recovers what is not written by then.
    await Promise.race([all, pause(LEAVE_MS, undefined, { ref: false })]);
    clearInterval(this.#looking);
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
    if (this.#mustRecover) await this.#recover();
    const { store, graphs, clock, onCommit } = this.#deps;
    const fingerprintOf = (graph: string): string => graphs.get(graph)?.fingerprint ?? "";
    const isIdle = this.#active.size === 0;
    const limit = this.#isHeld ? 1 : Math.min(this.#concurrency - this.#active.size, CLAIMED_AT_ONCE);
    const { runs, isHeld } = await store.claim({ at: clock(), limit, fingerprintOf, isIdle });
    for (const { runId } of runs) this.#claimed.add(runId);
    this.#isHeld = isHeld;
    if (runs.length === CLAIMED_AT_ONCE || runs.some(({ crashes }) => crashes >= 2)) this.#poked = true;
    for (const run of runs) {
      if (isTurnOver()) await takeTurn();
      onCommit(run.runId);
      if (this.draining) await this.#return(run);
      else this.#execute(run);
      this.#claimed.delete(run.runId);
      if (run.crashes >= 2) await this.#leaveAlone(run.runId);
    }
  }

  /** If this fails, the next start recovers the run. */
  async #return(run: ClaimedRun): Promise<void> {
    this.#deps.store.forget(run);
    await this.#deps.store.release(run, { crashed: false }).catch(() => undefined);
  }

  /** Waits until the run has recorded a result or has had its time: a crash before that is one of a run alone. */
  async #leaveAlone(runId: string): Promise<void> {
    const until = this.#deps.clock() + ALONE_MS;
    while (this.#deps.clock() < until && (await this.#isStuck(runId))) await pause(LOOK_MS);
  }

  /** Whether the run is in flight and has recorded nothing since its last crash. */
  async #isStuck(runId: string): Promise<boolean> {
    if (this.draining || !this.#active.has(runId)) return false;
    return (await this.#deps.store.crashesOf(runId).catch(() => 0)) > 0;
  }

  get #hasRoom(): boolean {
    return !this.draining && this.#active.size < (this.#isHeld ? 1 : this.#concurrency);
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
    if (this.#cancelled.has(run.runId)) execution.send("cancel");
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
