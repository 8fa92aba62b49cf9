import { setTimeout as pause } from "node:timers/promises";
import { DossierError } from "../errors.ts";
import { Execution, type ExecutionDeps } from "./execute-run.ts";

/** Executes queued runs of one process, the oldest first, one at a time for each thread. */
export class Engine {
  readonly #deps: ExecutionDeps;
  readonly #concurrency: number;
  readonly #active = new Map<string, Execution>();
  /** Cancelled while a claim was under way, which may be theirs. */
  readonly #cancelled = new Set<string>();
  readonly #claims = new Set<Promise<void>>();
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
    for (let slot = 0; slot < this.#concurrency; slot += 1) this.poke();
    return unfinished;
  }

  /** There may be something to execute. */
  poke(): void {
    if (this.#draining || this.#active.size + this.#claims.size >= this.#concurrency) return;
    const claim = this.#claim().finally(() => {
      this.#claims.delete(claim);
      if (this.#claims.size === 0) this.#cancelled.clear();
    });
    this.#claims.add(claim);
  }

  /** Stops the run if it is executed here. */
  cancel(runId: string): void {
    if (this.#claims.size > 0) this.#cancelled.add(runId);
    this.#active.get(runId)?.control("cancel");
  }

  /**
   * Takes no more runs and lets those under way come to the end of their step, from where the next process goes on. What has not
   * come there after `timeoutMs` is left as recorded and will be recovered.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    await Promise.allSettled(this.#claims);
    const limit = new AbortController();
    for (const execution of this.#active.values()) execution.control("drain");
    const all = Promise.allSettled([...this.#active.values()].map((execution) => execution.done));
    await Promise.race([all, pause(timeoutMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
    for (const execution of this.#active.values())
      execution.abandon(new DossierError("draining", "The process went down before the step ended."));
    await all;
  }

  async #claim(): Promise<void> {
    const run = await this.#deps.store.claim(this.#deps.clock());
    if (run === null) return;
    this.#deps.onCommit(run.runId);
    const execution = new Execution(run, this.#deps);
    this.#active.set(run.runId, execution);
    if (this.#draining) execution.control("drain");
    if (this.#cancelled.has(run.runId)) execution.control("cancel");
    void execution.done.then(() => {
      this.#active.delete(run.runId);
      this.poke();
    });
  }
}
