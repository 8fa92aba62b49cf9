import { setTimeout as pause } from "node:timers/promises";
import type { ClaimedRun, RunStore } from "../domain/ports/run-store.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { Execution, type ExecutionDeps } from "./execute-run.ts";

const RETRY_MS = 1_000;

/** Executes queued runs of one process, the oldest first, one at a time for each thread. */
export class Engine {
  readonly #deps: ExecutionDeps;
  readonly #concurrency: number;
  readonly #active = new Map<string, Execution>();
  /** Cancelled while a claim was under way, which may be theirs. */
  readonly #cancelled = new Set<string>();
  #claiming: Promise<void> | null = null;
  #asked = false;
  #draining = false;

  constructor(deps: ExecutionDeps, options: { concurrency: number }) {
    this.#deps = deps;
    this.#concurrency = options.concurrency;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Goes on with what a dead process left behind, and with what is queued. */
  async recover(): Promise<number> {
    const unfinished = await this.#deps.store.requeueUnfinished();
    this.poke();
    return unfinished;
  }

  /** There may be something to execute. */
  poke(): void {
    this.#asked = true;
    this.#claiming ??= this.#claimAll().finally(() => {
      this.#claiming = null;
      this.#cancelled.clear();
      // Somebody may have asked after the last look and before this.
      if (this.#asked && this.#hasRoom) this.poke();
    });
  }

  /** Stops the run if it is executed here. */
  cancel(runId: string): void {
    if (this.#claiming !== null) this.#cancelled.add(runId);
    this.#active.get(runId)?.control("cancel");
  }

  /**
   * Takes no more runs and lets those under way come to the end of their step, from where the next process goes on. What has not
   * come there after `timeoutMs` is left as recorded and will be recovered.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    await this.#claiming;
    const limit = new AbortController();
    for (const execution of this.#active.values()) execution.control("drain");
    const all = Promise.allSettled([...this.#active.values()].map((execution) => execution.done));
    await Promise.race([all, pause(timeoutMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
    for (const execution of this.#active.values())
      execution.abandon(new DossierError("draining", "The process went down before the step ended."));
    await all;
  }

  /** Fills the free slots; whoever asks meanwhile is served by another look. */
  async #claimAll(): Promise<void> {
    const { store, graphs, clock, onCommit } = this.#deps;
    const fingerprintOf = (graph: string): string => graphs.get(graph)?.fingerprint ?? "";
    while (this.#asked && this.#hasRoom) {
      this.#asked = false;
      const room = this.#concurrency - this.#active.size;
      const runs = await store.claim(clock(), room, fingerprintOf).catch((error: unknown) => this.#tryLater(error));
      for (const run of runs) {
        onCommit(run.runId);
        this.#execute(run);
      }
    }
  }

  get #hasRoom(): boolean {
    return !this.#draining && this.#active.size < this.#concurrency;
  }

  /** The database refused, a full disk perhaps, and tells of it by itself: what is queued must not wait for somebody to ask again. */
  #tryLater(error: unknown): [] {
    const cause = toDossierError(error);
    if (cause.code !== "storage_unavailable") this.#deps.onError(null, cause);
    setTimeout(() => this.poke(), RETRY_MS).unref();
    return [];
  }

  #execute(run: ClaimedRun): void {
    const execution = new Execution(run, this.#deps);
    this.#active.set(run.runId, execution);
    if (this.#cancelled.has(run.runId)) execution.control("cancel");
    void execution.done.then(() => {
      this.#active.delete(run.runId);
      return this.#refill();
    });
  }

  /** A slot is free. Looking for queued runs is a read; only where there are any is it worth a transaction. */
  async #refill(): Promise<void> {
    if (this.#draining) return;
    const queued = await this.#deps.store.countQueued().catch(() => null);
    // Whoever asked while all slots were taken may be about to be stored.
    if (this.#asked || (queued ?? 1) > 0) this.poke();
  }
}

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

interface ExpiryOptions {
  readonly store: Pick<RunStore, "cancelWaiting">;
  readonly days: number;
  readonly clock: () => number;
  readonly onEnded: (runId: string) => void;
}

interface Expiry {
  /** Ends what has waited for too long by now. */
  look(): Promise<void>;
  close(): void;
}

/** Cancels runs that have waited for their user for more than so many days: looks when it is asked to, and every hour. */
export function expireWaiting({ store, days, clock, onEnded }: ExpiryOptions): Expiry {
  const look = async (): Promise<void> => {
    for (let ids = await ended(); ids.length > 0; ids = await ended()) for (const id of ids) onEnded(id);
  };
  const ended = (): Promise<string[]> => store.cancelWaiting(clock() - days * DAY_MS, clock());
  // A database that refuses tells of it by itself; the next hour looks again.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return { look, close: () => clearInterval(timer) };
}
