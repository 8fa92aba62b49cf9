import type { RunEvent } from "../../../src/domain/events.ts";
import type { Run } from "../../../src/domain/run.ts";
import { isEnded } from "../view-model/ended.ts";
import { reduce } from "../view-model/reduce.ts";
import { EMPTY_VIEW, type RunView } from "../view-model/run-view.ts";
import { getRun } from "./endpoints.ts";
import { type Connection, followRun } from "./event-stream.ts";
import { asProblem, type Problem } from "./problem.ts";

export interface FollowedRun {
  /** The run as the API gives it: from the first answer, and again when it waits or ends. */
  readonly run: Run | null;
  readonly view: RunView;
  readonly connection: Connection;
  readonly problem: Problem | null;
}

/** Reducing stops after this time and goes on in the next frame, so that the page stays responsive while a long run is read in. */
const FRAME_BUDGET_MS = 8;
const LOAD_AGAIN_MS = 2_000;
/** Hidden pages have no frames. */
const HIDDEN_FRAME_MS = 250;

/** Follows one run for as long as somebody listens. Changes are told at most once per frame. */
export class RunFollower {
  readonly #runId: string;
  readonly #listeners = new Set<() => void>();
  #state: FollowedRun = { run: null, view: EMPTY_VIEW, connection: { kind: "connecting", isAgain: false }, problem: null };
  #queue: RunEvent[] = [];
  #position = 0;
  #stop: AbortController | null = null;
  #framePlanned = false;

  constructor(runId: string) {
    this.#runId = runId;
  }

  readonly snapshot = (): FollowedRun => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#stop === null) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#halt();
    };
  };

  /** Reads the run again, and follows its events again if they had failed. */
  readonly refresh = (): void => {
    if (this.#state.connection.kind === "failed") {
      this.#halt();
      this.#start();
    } else if (this.#stop !== null) this.#load(this.#stop.signal);
  };

  /** Takes over an answer of the API that has the run. */
  readonly adopt = (run: Run): void => this.#update({ run, problem: null });

  #start(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#load(signal);
    const onEvents = (events: readonly RunEvent[]): void => {
      for (const event of events) this.#queue.push(event);
      this.#planFrame();
    };
    followRun(this.#runId, this.#state.view.seq, { onEvents, onConnection: (connection) => this.#update({ connection }) }, signal);
  }

  #halt(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#queue = [];
    this.#position = 0;
  }

  #load(signal: AbortSignal): void {
    getRun(this.#runId, signal).then(
      (run) => this.#update({ run, problem: null }),
      (error: unknown) => signal.aborted || this.#loadAgain(asProblem(error), signal),
    );
  }

  /** A server that does not answer now may do so soon: without the run its report would not be shown. */
  #loadAgain(problem: Problem, signal: AbortSignal): void {
    this.#update({ problem });
    if (problem.status >= 400 && problem.status < 500) return;
    setTimeout(() => signal.aborted || this.#load(signal), LOAD_AGAIN_MS);
  }

  #planFrame(): void {
    if (this.#framePlanned) return;
    this.#framePlanned = true;
    const work = (): void => {
      this.#framePlanned = false;
      this.#work();
    };
    if (document.visibilityState === "visible") requestAnimationFrame(work);
    else setTimeout(work, HIDDEN_FRAME_MS);
  }

  #work(): void {
    const until = performance.now() + FRAME_BUDGET_MS;
    let { view } = this.#state;
    const before = view.status;
    while (this.#position < this.#queue.length && performance.now() < until) {
      const event = this.#queue[this.#position];
      if (event !== undefined) view = reduce(view, event);
      this.#position += 1;
    }
    if (this.#position < this.#queue.length) this.#planFrame();
    else {
      this.#queue = [];
      this.#position = 0;
    }
    const isNewState = view.status !== before && (view.status === "waiting" || isEnded(view.status));
    if (isNewState && this.#stop !== null && this.#state.run?.status !== view.status) this.#load(this.#stop.signal);
    this.#update({ view });
  }

  #update(change: Partial<FollowedRun>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
