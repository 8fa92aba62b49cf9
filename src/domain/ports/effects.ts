import type { Budget, Spent } from "../budget.ts";
import type { DomainEvent } from "../events.ts";
import type { JsonValue } from "../json.ts";

/**
 * `request` names everything the result depends on: its hash is part of the journal's key. The result must survive JSON; live callers get
 * it exactly as a replay will.
 */
export interface Effect<T> {
  readonly kind: "search" | "download" | "tool" | "listing" | "intent" | "model" | "document" | "memo" | "semantic" | "random";
  readonly request: JsonValue;
  /** After this time `live` is aborted and the effect fails with `timeout`. */
  readonly timeoutMs: number;
  /** Returns only after the result is committed, so that a crash cannot lose it. */
  readonly durable?: true;
  live(signal: AbortSignal): Promise<T>;
}

export interface ReferencedEffect<T> extends Effect<T> {
  reference(value: T): JsonValue;
  /** Loads the value behind the recorded reference. Has its own `timeoutMs` and fails like `live`. */
  load(reference: JsonValue, signal: AbortSignal): Promise<T>;
}

/** Its result arrives in pieces; each is recorded and released in order, like a completion. */
export interface StreamedEffect<T, C> extends Omit<Effect<T>, "live"> {
  /** `push` takes a piece that survives JSON; no effect after `live` has ended. */
  live(signal: AbortSignal, push: (piece: C) => void): Promise<T>;
  /** Called before `stream` returns, never if only the result is known. An error aborts `live` and rejects `stream`. */
  onPiece(piece: C): void;
}

/** A node's only access to the outside. Throws `run_closed` after the run has closed. */
export interface Effects {
  readonly runId: string;
  /** One execution of a segment: a key for caches that must not outlive it. */
  readonly execution: object;
  /** Aborted when the run is cancelled, out of time, or owned by another attempt. */
  readonly signal: AbortSignal;
  /** Returns the recorded outcome, or performs `live` once and records it. @throws DossierError; any other error becomes `internal` */
  perform<T>(effect: Effect<T> | ReferencedEffect<T>): Promise<T>;
  /** Like `perform`. @throws DossierError `interrupted` if the process ended in the middle: retract the pieces shown */
  stream<T, C>(effect: StreamedEffect<T, C>): Promise<T>;
  /** In a replay the event must equal the recorded one. */
  emit(event: DomainEvent): void;
  /** Unique in the run and equal in every replay. */
  nextId(): string;
  /** Spent by model calls in all segments of the run; pending calls count as calls. */
  spent(): Spent;
  /** Spent by model calls of this task and tasks below it in earlier segments; null if the task starts in this one. */
  spentEarlier(): Spent | null;
  /** The budget of the nested run that the task belongs to; absent if the run's limits apply. */
  readonly budget?: Budget;
  /** The run's clock (milliseconds since 1970): the time of the latest recorded completion or event. */
  now(): number;
  /** Running time in milliseconds since an earlier `now`, without the time between attempts. */
  elapsedMs(since: number): number;
}

export interface TaskPlace {
  readonly node: string;
  /** LangGraph's own step number, which counts on over the runs of a thread. */
  readonly step: number;
  /** LangGraph's path of the task within its step; distinguishes the tasks of one `Send`. */
  readonly path: readonly (string | number)[];
  readonly attempt: number;
  /** Set if the task is a nested run: its name, such as `todo:T1`. Unique among siblings; begins the paths of events inside. */
  readonly nestedRun?: string;
}

/** One per execution; LangGraph passes it to nodes as `context`. */
export interface RunContext {
  /** Runs `body` between the events `node-started` and `node-ended`. */
  task<T>(place: TaskPlace, body: (effects: Effects) => Promise<T>): Promise<T>;
}

export type GraphNode<State, Update> = (state: State, effects: Effects) => Promise<Update>;
