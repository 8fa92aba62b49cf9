import { setTimeout as pause } from "node:timers/promises";
import { type ClaimedRun, type CrashedRun, type RunStore, SUSPECT_CRASHES } from "../domain/ports/run-store.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { isTurnOver, takeTurn } from "../util/turns.ts";
import { Execution, type ExecutionDeps, MAX_CRASHES } from "./execute-run.ts";

const RETRY_MS = 1_000;
const MAX_STOPPED = 10_000;
/** How long a shutdown waits until abandoned runs are back in the queue. */
const LEAVE_MS = 1_000;
/** How often a full memory is looked at. */
const FULL_MS = 200;
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
}

/** Executes the queued runs of this process, oldest first. Two runs of one conversation thread never run at the same time. */
export class Engine {
  readonly #deps: ExecutionDeps;
  readonly #concurrency: number;
  readonly #isFull: () => boolean;
  #looksAgain: NodeJS.Timeout | null = null;
  readonly #active = new Map<string, Execution>();
  /** These runs were cancelled during a claim, which may therefore return them as not cancelled. */
  readonly #cancelled = new Set<string>();
  readonly #stopped = new Set<string>();
  #claiming: Promise<void> | null = null;
  #suspects: readonly CrashedRun[] = [];
  #poked = false;
  #mustRequeue = false;
  /** By `performance.now()`. */
  #requeuedAt = 0;
  readonly #drained = new AbortController();

  constructor(deps: ExecutionDeps, { concurrency, isFull = () => false }: EngineOptions) {
    this.#deps = deps;
    this.#concurrency = concurrency;
    this.#isFull = isFull;
  }

  get draining(): boolean {
    return this.#drained.signal.aborted;
  }

  get isBusy(): boolean {
    return this.#active.size > 0;
  }

  /** `held`: queued runs wait although fewer than `concurrency` work, because the memory is full. */
  get state(): { active: number; held: boolean } {
    return { active: this.#active.size, held: this.#looksAgain !== null };
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

  cancel(runId: string): void {
    if (this.#claiming !== null) this.#cancelled.add(runId);
    this.cancelActive(runId);
  }

  /** Stops the work of a run and of all its later attempts in this process, even if no cancel can be stored. Returns whether it works. */
  cancelActive(runId: string): boolean {
    const execution = this.#active.get(runId);
    if (execution === undefined) return false;
    if (this.#stopped.size >= MAX_STOPPED) this.#stopped.clear();
    this.#stopped.add(runId);
    execution.send("cancel");
    return true;
  }

  /** Starts no more runs and lets active steps finish. Abandons runs after `timeoutMs`; the next start recovers them. */
  async drain(timeoutMs: number): Promise<void> {
    this.#drained.abort();
    await this.#claiming;
    const limit = new AbortController();
    for (const execution of this.#active.values()) execution.send("drain");
    const all = Promise.allSettled([...this.#active.values()].map((execution) => execution.done));
    await Promise.race([all, pause(timeoutMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
    for (const execution of this.#active.values())
      execution.abandon(new DossierError("draining", "The server shut down during this step. The run continues after the restart."));
    // Writes may wait for a lock of another program. The next start recovers what is not written.
    await Promise.race([all, pause(LEAVE_MS, undefined, { ref: false })]);
  }

  async #claimAll(): Promise<void> {
    while (this.#poked && this.#hasRoom) {
      this.#poked = false;
      await this.#startRuns().catch((error: unknown) => this.#retryLater(error));
    }
  }

  async #startRuns(): Promise<void> {
    if (this.#mustRequeue) await this.#requeue();
    await this.#trySuspects();
    if (!this.#hasRoom) return;
    if (!this.#isFull()) return this.#claim(this.#concurrency - this.#active.size);
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
      this.#execute(run);
    }
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
    return !this.draining && this.#active.size < this.#concurrency;
  }

  #holdBack(): void {
    this.#looksAgain ??= setTimeout(() => {
      this.#looksAgain = null;
      void this.#refill();
    }, FULL_MS).unref();
  }

  #retryLater(error: unknown): void {
    const cause = toDossierError(error);
    if (cause.code !== "storage_unavailable") this.#deps.onError("could not claim queued runs; trying again in a second", null, cause);
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

const DAY_MS = 86_400_000;
const EXPIRY_INTERVAL_MS = 3_600_000;

interface ExpiryOptions {
  readonly store: Pick<RunStore, "cancelWaiting">;
  readonly days: number;
  readonly clock: () => number;
  readonly onEnded: (runId: string) => void;
}

/** Cancels runs that have waited for their user for more than `days`. Checks every hour. */
export function expireWaiting({ store, days, clock, onEnded }: ExpiryOptions) {
  const cancelExpired = async (): Promise<void> => {
    for (let ids = await ended(); ids.length > 0; ids = await ended()) for (const id of ids) onEnded(id);
  };
  const ended = (): Promise<string[]> => store.cancelWaiting(clock() - days * DAY_MS, clock());
  const timer = setInterval(() => void cancelExpired().catch(() => undefined), EXPIRY_INTERVAL_MS).unref();
  return { cancelExpired, close: () => clearInterval(timer) };
}
