import type { Budget, Spent } from "../budget.ts";
import type { Computation } from "../computation.ts";
import type { DomainEvent } from "../events.ts";
import type { JsonValue } from "../json.ts";
import type { Spending } from "../quota.ts";

export interface KeptReply {
  readonly head: JsonValue;
  readonly body: Uint8Array;
}

/** What an effect receives from the network, stored before it is read, so that a crash does not lose it. */
export interface KeptReplies {
  /** Returns the reply that an earlier attempt kept under this name, once. */
  take(name: string): KeptReply | null;
  /** Starts to store a whole reply. It is deleted when the effect is recorded. */
  keep(name: string, reply: KeptReply): void;
}

/** `contentHash` is null if the download failed. */
export interface EarlierDownload {
  readonly address: string;
  readonly contentHash: string | null;
  readonly title: string;
  readonly publishedAt: string | null;
  /** False for a link of a document that may not be reached. */
  readonly isCounted: boolean;
}

/** The journal records the result as JSON. A replay uses the record instead of calling `live`. */
export interface Effect<T> {
  readonly kind: "search" | "download" | "tool" | "listing" | "intent" | "model" | "document" | "memo" | "semantic" | "random" | "compute";
  /** Everything that the result depends on. A replay finds the record by this value. */
  readonly request: JsonValue;
  /** After this time, the signal of `live` is aborted and the effect fails with `timeout`. */
  readonly timeoutMs: number;
  /** Set if the result must be stored before the effect returns, so that a crash cannot lose it. */
  readonly durable?: true;
  /** False if the result is stored elsewhere. The journal then records null, and a replay calls `live` again. */
  readonly recorded?: false;
  live(signal: AbortSignal, replies: KeptReplies): Promise<T>;
}

/** The result arrives in pieces. The journal records each piece in order. */
export interface StreamedEffect<T, C> extends Omit<Effect<T>, "live"> {
  live(signal: AbortSignal, push: (piece: C) => void, replies: KeptReplies): Promise<T>;
  /** The least that the call costs if it is stopped, or breaks off after it began. Such a call has no receipt. */
  readonly atLeast?: Spending;
  /** Receives each recorded piece. If it throws, `live` is aborted and `stream` rejects. */
  onPiece(piece: C): void;
}

/** A node's only access to everything outside the graph. All methods throw `run_closed` after the run has closed. */
export interface Effects {
  readonly runId: string;
  /** A key for caches that must not outlive this execution. */
  readonly execution: object;
  /** Aborted when the run is cancelled, out of time, or taken over by another attempt. */
  readonly signal: AbortSignal;
  /** Returns the recorded outcome, or calls `live` once and records its outcome. @throws DossierError, never another error */
  perform<T>(effect: Effect<T>): Promise<T>;
  /** Like `perform`, but in pieces. @throws DossierError `interrupted` if the process ended midway; discard the pieces then */
  stream<T, C>(effect: StreamedEffect<T, C>): Promise<T>;
  /**
   * Runs a computation, which holds the event loop only if its input is small. The journal keeps when it was done, not its result, so that
   * a replay, which computes again, continues in the same order. @throws DossierError
   */
  compute<Input extends readonly unknown[], Result>(computation: Computation<Input, Result>, ...input: Input): Promise<Result>;
  /** Records an event. In a replay the event must equal the recorded one. */
  emit(event: DomainEvent): void;
  /** The id is unique in the run and the same in every replay. */
  nextId(): string;
  /** Returns the cost of all model calls of the run so far. Calls in progress are counted too. */
  spent(): Spent;
  /** Returns what this task and its nested tasks spent in earlier segments; null for a new task. */
  spentEarlier(): Spent | null;
  /** Returns the downloads of this task and its nested tasks in earlier segments. */
  downloadsEarlier(): readonly EarlierDownload[];
  readonly budget?: Budget;
  /** Returns the time of the latest recorded result or event, in milliseconds since 1970. */
  now(): number;
  /** Returns the milliseconds since an earlier `now`, without pauses between attempts. */
  elapsedMs(since: number): number;
}

export interface TaskPlace {
  readonly node: string;
  readonly step: number;
  readonly path: readonly (string | number)[];
  readonly attempt: number;
  /** Events of a nested run have paths that begin with this name, such as `todo:T1`. */
  readonly nestedRun?: string;
}

export interface RunContext {
  /** Emits `node-started` before `body` and `node-ended` after it. */
  task<T>(place: TaskPlace, body: (effects: Effects) => Promise<T>): Promise<T>;
}

export type GraphNode<State, Update> = (state: State, effects: Effects) => Promise<Update>;
