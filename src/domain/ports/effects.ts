import type { Budget, Spent } from "../budget.ts";
import type { DomainEvent } from "../events.ts";
import type { JsonValue } from "../json.ts";

/** An action with a result that the journal records as JSON and a replay reads instead of acting. */
export interface Effect<T> {
  readonly kind: "search" | "download" | "tool" | "listing" | "intent" | "model" | "document" | "memo" | "semantic" | "random";
  /** Everything that the result depends on. A replay finds the result by this value. */
  readonly request: JsonValue;
  /** After this time the signal of `live` is aborted and the effect fails with `timeout`. */
  readonly timeoutMs: number;
  /** Set if the result must be committed before the effect returns, so that a crash cannot lose it. */
  readonly durable?: true;
  live(signal: AbortSignal): Promise<T>;
}

/** An effect whose result is too large for the journal, which records a reference to the result. */
export interface ReferencedEffect<T> extends Effect<T> {
  reference(value: T): JsonValue;
  /** Loads the value of a recorded reference, with `timeoutMs` and errors like those of `live`. */
  load(reference: JsonValue, signal: AbortSignal): Promise<T>;
}

/** An effect whose result arrives in pieces. Each piece is recorded in order, like a result. */
export interface StreamedEffect<T, C> extends Omit<Effect<T>, "live"> {
  /** Calls `push` with each piece. Calls after `live` has ended are ignored. */
  live(signal: AbortSignal, push: (piece: C) => void): Promise<T>;
  /** Gets each recorded piece before `stream` returns. An error aborts `live` and rejects `stream`. */
  onPiece(piece: C): void;
}

/** A node's only access to everything outside the graph. All methods throw `run_closed` after the run has closed. */
export interface Effects {
  readonly runId: string;
  /** Identifies this execution of a segment, as a key for caches that must not outlive it. */
  readonly execution: object;
  /** Aborted when the run is cancelled, out of time, or owned by another attempt. */
  readonly signal: AbortSignal;
  /** Returns the recorded outcome, or calls `live` once and records its outcome. @throws DossierError; other errors become `internal` */
  perform<T>(effect: Effect<T> | ReferencedEffect<T>): Promise<T>;
  /** Like `perform`, with pieces. @throws DossierError `interrupted` if the process ended midway; ignore the pieces received before */
  stream<T, C>(effect: StreamedEffect<T, C>): Promise<T>;
  /** Logs an event. In a replay the event must equal the recorded one. */
  emit(event: DomainEvent): void;
  /** Returns an id that is unique in the run and the same in every replay. */
  nextId(): string;
  /** Returns the cost of all model calls of the run so far. Pending calls count as calls. */
  spent(): Spent;
  /** Returns the cost of this task and the tasks below it in earlier segments; null if the task starts in this segment. */
  spentEarlier(): Spent | null;
  /** The budget of the nested run that the task belongs to; absent if the run's limits apply. */
  readonly budget?: Budget;
  /** Returns the run's clock (milliseconds since 1970): the time of the latest recorded result or event. */
  now(): number;
  /** Returns the running time in milliseconds since an earlier `now`, without the time between attempts. */
  elapsedMs(since: number): number;
}

export interface TaskPlace {
  readonly node: string;
  /** LangGraph's step number, which continues over the runs of a thread. */
  readonly step: number;
  /** LangGraph's path of the task within its step, which tells apart the tasks of one `Send`. */
  readonly path: readonly (string | number)[];
  readonly attempt: number;
  /** The name of a nested run, such as `todo:T1`, unique among its siblings. The paths of its events begin with the name. */
  readonly nestedRun?: string;
}

/** The context of one execution, which LangGraph passes to nodes as `context`. */
export interface RunContext {
  /** Runs `body` between the events `node-started` and `node-ended`. */
  task<T>(place: TaskPlace, body: (effects: Effects) => Promise<T>): Promise<T>;
}

export type GraphNode<State, Update> = (state: State, effects: Effects) => Promise<Update>;
