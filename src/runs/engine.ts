import { setTimeout as pause } from "node:timers/promises";
import { type ClaimedRun, type CrashedRun, SUSPECT_CRASHES } from "../domain/ports/run-store.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { isTurnOver, takeTurn } from "../util/turns.ts";
import { Execution, type ExecutionDeps, MAX_CRASHES } from "./execute-run.ts";

const RETRY_MS = 1_000;
const MAX_STOPPED = 10_000;
/** How long a shutdown waits until abandoned runs are back in the queue, and how long if another program has locked the database. */
const LEAVE_MS = 8_000;
const LEAVE_LOCKED_MS = 1_000;
/** How often a full memory is looked at. */
const FULL_MS = 200;
/** After how many looks in a row the garbage is collected, and how often at most. */
const FULL_LOOKS = 10;
const COLLECT_EVERY_MS = 60_000;
/**
 * How long the process lives without runs before the first trial. If something else kills it again and again, it dies in this time, and all
 * runs are acquitted. Each crash on trial doubles the time.
 */
const QUIET_MS = 5_000;
/** How long all suspects together run before the next run starts. Each further crash doubles the time, for a run that crashes late. */
const TRIALS_MS = 60_000;
const MIN_TRIAL_MS = 100;
const MAX_TRIAL_MS = 600_000;
const LOOK_MS = 50;
/** A claim holds the event loop, for about half a millisecond for each run. */
const CLAIMED_AT_ONCE = 20;

function trialMs(crashes: number, suspects: number): number {
  const share = (TRIALS_MS * 2 ** (crashes - SUSPECT_CRASHES)) / suspects;
  return Math.min(Math.max(share, MIN_TRIAL_MS), MAX_TRIAL_MS);
}

/** A run that will fail needs no trial. */
function quietMs({ alone }: CrashedRun): number {
  return alone >= MAX_CRASHES ? 0 : QUIET_MS * 2 ** alone;
}

interface EngineOptions {
  readonly concurrency: number;
  /** Whether no further run should start beside others. A run alone always starts. */
  readonly isFull?: () => boolean;
  /** Called when queued runs have been held for 2 s, at most once a minute: V8 does not collect while the active runs only wait. */
  readonly collect?: () => void;
}

/** Executes the queued runs of this process, oldest first. Two runs of one conversation thread never run at the same time. */
export class Engine {
  readonly #deps: ExecutionDeps;
  readonly #options: Required<EngineOptions>;
  #looksAgain: NodeJS.Timeout | null = null;
  #looks = 0;
  #isHolding = false;
  /** By `performance.now()`. */
  #collectedAt = Number.NEGATIVE_INFINITY;
  readonly #active = new Map<string, Execution>();
  /** These runs were cancelled during a claim, which may therefore return them as not cancelled. */
  readonly #cancelled = new Set<string>();
  /** Runs whose cancel is not yet stored, the oldest first. */
  readonly #stopped = new Set<string>();
  #claiming: Promise<void> | null = null;
  #suspects: readonly CrashedRun[] = [];
  #poked = false;
  #mustRequeue = false;
  /** Why the last claim failed. */
  #refusal: string | null = null;
  /** By `performance.now()`. */
  #requeuedAt = 0;
  readonly #drained = new AbortController();
  /** When all runs were abandoned, by `performance.now()`. */
  #leavingSince: number | null = null;

  constructor(deps: ExecutionDeps, options: EngineOptions) {
    this.#deps = deps;
    this.#options = { isFull: () => false, collect: () => undefined, ...options };
  }

  get draining(): boolean {
    return this.#drained.signal.aborted;
  }

  get isBusy(): boolean {
    return this.#active.size > 0;
  }

  /** `held`: queued runs wait although fewer than `concurrency` work, because the memory is full. */
  get state(): { active: number; held: boolean } {
    return { active: this.#active.size, held: this.#looksAgain !== null && this.#isHolding };
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
    await this.#deps.store.requeueUnfinished();
    // Damaged pages do not keep the other runs from starting.
    this.#suspects = await this.#findSuspects().catch(() => []);
    this.#mustRequeue = false;
    this.#requeuedAt = performance.now();
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
    await this.#trySuspects();
    if (!this.#hasRoom) return;
    if (!this.#options.isFull()) {
      this.#looks = 0;
      return this.#claim(this.#options.concurrency - this.#active.size);
    }
    if (this.isBusy) return this.#holdBack();
    await this.#claim(1);
    // Others may be queued.
    if (this.isBusy) this.#poked = true;
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

  async #findSuspects(): Promise<readonly CrashedRun[]> {
    const suspects = await this.#deps.store.listCrashed(SUSPECT_CRASHES);
    const culprit = suspects.find(({ alone }) => alone >= MAX_CRASHES);
    if (culprit === undefined) return suspects;
    await this.#deps.store.acquit(culprit.runId);
    return [culprit];
  }

  /**
   * Starts the runs that may have crashed the process one after another, after a time without runs. The next start begins with the one
   * that was started last, so that a run that crashes the process again does so alone.
   */
  async #trySuspects(): Promise<void> {
    const suspects = this.#suspects;
    this.#suspects = [];
    if (suspects.length > 0) this.#deps.onSuspects(suspects);
    for (const suspect of suspects) {
      const { runId, crashes } = suspect;
      await this.#beQuiet(this.#requeuedAt + quietMs(suspect) - performance.now());
      if (!this.#hasRoom) return;
      await this.#claim(1, runId);
      const until = performance.now() + trialMs(crashes, suspects.length);
      while (performance.now() < until && (await this.#isSuspect(runId))) await pause(LOOK_MS);
    }
  }

  async #beQuiet(ms: number): Promise<void> {
    if (ms <= 0) return;
    const mark = this.#active.size === 0 ? this.#deps.store.openQuietMark() : null;
    await pause(ms, undefined, { signal: this.#drained.signal }).catch(() => undefined);
    mark?.close();
  }

  /** Whether the run is in progress and has recorded nothing since its last crash. */
  async #isSuspect(runId: string): Promise<boolean> {
    if (this.draining || !this.#active.has(runId)) return false;
    return (await this.#deps.store.crashesOf(runId).catch(() => 0)) > 0;
  }

  get #hasRoom(): boolean {
    return !this.draining && this.#active.size < this.#options.concurrency;
  }

  async #holdBack(): Promise<void> {
    this.#looksAgain ??= setTimeout(() => {
      this.#looksAgain = null;
      this.#looks += 1;
      if (this.#looks >= FULL_LOOKS && performance.now() - this.#collectedAt >= COLLECT_EVERY_MS) this.#collectGarbage();
      void this.#refill();
    }, FULL_MS).unref();
    // A run that is being stored is counted at the next look.
    this.#isHolding = (await this.#deps.store.countQueued()) > 0;
  }

  #collectGarbage(): void {
    this.#collectedAt = performance.now();
    this.#looks = 0;
    this.#options.collect();
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
