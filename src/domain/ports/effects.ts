import type { Budget } from "../budget.ts";
import type { DomainEvent } from "../events.ts";
import type { JsonValue } from "../json.ts";
import type { Spent } from "../spent.ts";

/**
 * Something that reaches outside the graph. `request` must name everything the result depends on: its hash is the
 * effect's name in the journal. The result must survive JSON; live callers get it as it will be replayed.
 */
export interface Effect<T> {
  readonly kind: "search" | "download" | "tool" | "listing" | "intent" | "model" | "document" | "memo" | "semantic" | "random";
  readonly request: JsonValue;
  /** Longest time `live` may take, in milliseconds; then its signal is aborted and the effect fails with `timeout`. */
  readonly timeoutMs: number;
  /** The result is returned only after it is stored where the death of the process cannot take it back. */
  readonly durable?: true;
  live(signal: AbortSignal): Promise<T>;
}

/** An effect whose result is too large for the journal, which keeps a reference by which it is loaded again. */
export interface ReferencedEffect<T> extends Effect<T> {
  reference(value: T): JsonValue;
  /** Has `timeoutMs` of its own, and fails like `live`. */
  load(reference: JsonValue, signal: AbortSignal): Promise<T>;
}

/** An effect whose result comes in pieces, each of which is recorded and has its turn like a completion. */
export interface StreamedEffect<T, C> extends Omit<Effect<T>, "live"> {
  /** `push` hands on a piece, which must survive JSON; after `live` has ended it is ignored. */
  live(signal: AbortSignal, push: (piece: C) => void): Promise<T>;
  /**
   * Called with every piece in its turn, before `stream` returns. Not called where only the result is known. What it throws ends
   * the stream: `live` is aborted, no other piece is passed on, and `stream` throws it.
   */
  onPiece(piece: C): void;
}

/**
 * A node's only way out: what it does goes through the journal, what it says into the event log. After the run has
 * closed, every method throws `run_closed`.
 */
export interface Effects {
  readonly runId: string;
  /** The same for all effects of one execution of a segment: what is remembered by it ends with that. */
  readonly execution: object;
  /** Aborted when the run is cancelled, has used up its time, or lost its ownership. */
  readonly signal: AbortSignal;
  /**
   * The recorded result where there is one, otherwise the result of `live`, recorded before it is returned.
   * @throws DossierError as `live` threw it (anything else becomes `internal`); failures are recorded too. Never retries.
   */
  perform<T>(effect: Effect<T> | ReferencedEffect<T>): Promise<T>;
  /**
   * Like `perform`, piece by piece.
   * @throws DossierError `interrupted` where the process ended in the middle of it: what was said of it has to be taken back
   */
  stream<T, C>(effect: StreamedEffect<T, C>): Promise<T>;
  /** Appends an event. In a replay the event must be the recorded one. */
  emit(event: DomainEvent): void;
  /** An id that is unique in the run and the same in every replay. */
  nextId(): string;
  /** What the model calls of the run have taken, in all its segments; those under way count as calls. */
  spent(): Spent;
  /**
   * What the model calls of this task, and of those below it, have taken in earlier segments; null where it begins in this one. A task
   * that waited for its user goes on as itself, a later one of the same name is another.
   */
  spentEarlier(): Spent | null;
  /** The budget of the part of the run that this task belongs to; absent where the limits of the whole run hold. */
  readonly budget?: Budget;
  /** The run's clock in milliseconds since 1970: the instant of the latest recorded completion or event. */
  now(): number;
  /** Milliseconds of running time from `since` (an earlier `now`) to now; the time between a crash and the next attempt is none. */
  elapsedMs(since: number): number;
}

/** Where LangGraph runs a task: what it puts into a task's `metadata` and `executionInfo`. */
export interface TaskPlace {
  readonly node: string;
  /** LangGraph's own step number, which goes on over the runs of a thread. */
  readonly step: number;
  /** LangGraph's path of the task within its step; tells the siblings of one `Send` apart. */
  readonly path: readonly (string | number)[];
  /** 1 for the first try of this task, more under a retry policy. */
  readonly attempt: number;
  /**
   * The part of the run that this task's own graph is, such as `todo:T1` or `child:critic`; unique among its siblings. What speaks
   * below it has it in the path of its events.
   */
  readonly part?: string;
}

/** One per execution, handed to every node through LangGraph's `context`. */
export interface RunContext {
  /** Runs `body` as the task at `place`, between its `node-started` and `node-ended`. */
  task<T>(place: TaskPlace, body: (effects: Effects) => Promise<T>): Promise<T>;
}

/** A step of a graph: reads its state, reaches outside only through `effects`, returns a small update. */
export type GraphNode<State, Update> = (state: State, effects: Effects) => Promise<Update>;
