import { AsyncLocalStorage } from "node:async_hooks";
import { addSpent, type Spent } from "../domain/budget.ts";
import type { Computation } from "../domain/computation.ts";
import type { DomainEvent } from "../domain/events.ts";
import { hashJson, type JsonValue } from "../domain/json.ts";
import type { Effect, Effects, StreamedEffect, TaskPlace } from "../domain/ports/effects.ts";
import type { Difference, EffectReplies, JournalOptions, OpenJournal, SegmentJournal } from "../domain/ports/journal.ts";
import { type JournalRecord, type LoggedEvent, PAID, type RunSignal, runningMs } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";
import { unlessAborted } from "../util/abort.ts";
import {
  completionRecord,
  computing,
  EarlierResults,
  errorOf,
  failureRecord,
  Loading,
  type MaskResult,
  NO_REPLIES,
  PIECE,
  performLive,
  pieceKey,
  StreamPieces,
} from "./completions.ts";
import { EventLog, RunClock, shorten } from "./event-log.ts";
import { ReleaseOrder } from "./release-order.ts";
import { endBySignal, RunSignals } from "./run-signals.ts";
import { EarlierTasks, TaskScope, type WorkingTask, WorkingTasks } from "./tasks.ts";

export const openJournal: OpenJournal = (options) => new OrderedJournal(options);

/** The task whose code is running. The tasks of a subgraph find their outer task here. */
const currentTask = new AsyncLocalStorage<{ readonly journal: OrderedJournal; readonly scope: TaskScope }>();

class OrderedJournal implements SegmentJournal {
  firstDifference: Difference | null = null;
  readonly #options: JournalOptions;
  readonly #mask: MaskResult;
  readonly #root = new TaskScope({ node: "", step: 0, path: "", eventPath: "" });
  readonly #order: ReleaseOrder;
  readonly #records: ReadonlyMap<string, JournalRecord>;
  readonly #cache: EarlierResults;
  readonly #clock: RunClock;
  readonly #events: EventLog;
  readonly #earlierTasks: EarlierTasks;
  readonly #abort = new AbortController();
  readonly #stop = Promise.withResolvers<never>();
  readonly #signals: RunSignals;
  #unrecorded: Difference | null = null;
  readonly #working = new WorkingTasks();
  #pendingLoads = 0;
  #spent: Spent;
  #openCalls = 0;
  /** Resolves when the latest result of a paid effect is stored. */
  #paidStored: Promise<void> = Promise.resolve();
  #isForked = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#mask = options.mask ?? ((result) => result);
    this.#spent = options.spent;
    this.#records = new Map(options.records.map((record) => [record.key, record]));
    this.#clock = new RunClock(options.clock);
    this.#events = new EventLog({ ...options, clock: this.#clock, onDifference: (difference) => this.#reportDifference(difference) });
    this.#earlierTasks = new EarlierTasks(options.earlier);
    this.#signals = new RunSignals(options.mode === "live" ? options.records : []);
    this.#cache = new EarlierResults(options.cache, options.records);
    this.#order = new ReleaseOrder({
      records: options.records,
      emitted: () => this.#events.count,
      hasPendingWork: () => this.#pendingLoads > 0,
      isTaskRunning: () => this.#working.any,
      recordNextSignal: () => this.#recordSignal(),
      onSignal: (record) => this.#applySignal(record.request as RunSignal),
      onRelease: (record) => this.#advance(record),
      onStall: (record) => this.#reportStall(record),
    });
    // Without this handler, a stop while no task waits would be an unhandled rejection.
    this.#stop.promise.catch(() => undefined);
    if (options.records.length > 0) this.#order.poke();
  }

  get stoppedBy(): RunSignal | null {
    return this.#signals.stoppedBy;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async task<T>(place: TaskPlace, body: (effects: Effects) => Promise<T>): Promise<T> {
    const parent = currentTask.getStore();
    const scope = (parent?.journal === this ? parent.scope : this.#root).child(place);
    const { node, step } = scope;
    const startedAt = this.#emit(scope, () => ({ type: "node-started", node, step }));
    const work = this.#working.begin(place.nestedRun !== undefined);
    const effects = this.#effects(scope, work);
    const result = await currentTask.run({ journal: this, scope }, () => body(effects)).finally(() => work.end());
    this.#emit(scope, (at) => ({ type: "node-ended", node, step, durationMs: runningMs(this.#options.pauses, startedAt, at) }));
    return result;
  }

  send(signal: RunSignal): void {
    if (this.signal.aborted || this.#options.mode === "replay") return;
    if (this.#signals.accept(signal)) this.#order.poke();
  }

  abandon(reason: DossierError): void {
    this.#abort.abort(reason);
    this.#stop.reject(reason);
    this.#order.stop(reason);
  }

  findDifference(): Difference | null {
    if (this.firstDifference !== null) return this.firstDifference;
    const { upcoming } = this.#order;
    // After a cancel or deadline, the code need not make the other recorded requests.
    const cutOff = this.stoppedBy === "cancel" || this.stoppedBy === "deadline";
    if (upcoming !== undefined && !cutOff)
      this.#reportDifference({ place: describeRecord(upcoming), message: "the code no longer makes this recorded request" });
    const { missing } = this.#events;
    if (missing !== undefined)
      this.#reportDifference({ place: missing.origin, message: `the recorded event was not emitted again: ${missing.body}` });
    return this.firstDifference;
  }

  conclude(event: DomainEvent): LoggedEvent | null {
    const { logged, isNew } = this.#events.logEnd(event);
    return isNew ? logged : null;
  }

  close(): void {
    this.#order.close();
    this.abandon(new DossierError("run_closed", "The run has ended and accepts no more effects or events."));
  }

  #recordSignal(): void {
    if (this.signal.aborted) return;
    const request = this.#signals.nextToRecord();
    if (request === undefined) return;
    this.#append({ key: `#control#${request}#${this.#order.records.length}`, kind: "control", request, ok: true, result: null });
  }

  #effects(scope: TaskScope, work: WorkingTask): Effects {
    return {
      runId: this.#options.runId,
      execution: this.#root,
      signal: this.signal,
      perform: (effect) => work.whileWaiting(() => this.#counting(effect, () => this.#perform(keyOf(scope, effect), effect))),
      stream: (effect) => work.whileWaiting(() => this.#counting(effect, () => this.#stream(scope, effect))),
      compute: (computation, ...input) => this.#compute(scope, work, computation, input),
      nextId: () => `${this.#options.segment}.${scope.nextId()}`,
      spent: () => ({ ...this.#spent, modelCalls: this.#spent.modelCalls + this.#openCalls }),
      spentEarlier: () => this.#earlierTasks.spentBy(scope.place),
      downloadsEarlier: () => this.#earlierTasks.downloadsBy(scope.place),
      emit: (event) => void this.#emit(scope, () => event),
      now: () => this.#clock.now,
      elapsedMs: (since) => runningMs(this.#options.pauses, since, this.#clock.now),
    };
  }

  async #perform<T>(key: string, effect: Effect<T>): Promise<T> {
    this.#throwIfStopped();
    const loading = effect.recorded === false ? new Loading(effect) : null;
    const record = this.#records.get(key) ?? (await this.#complete<unknown>(key, loading?.effect ?? effect));
    const value = loading !== null && record.ok ? await this.#countingLoad(() => loading.value(this.signal)) : record.result;
    await this.#order.waitForRelease(record);
    if (!record.ok) throw errorOf(record);
    return value as T;
  }

  async #compute<Input extends readonly unknown[], Result>(
    scope: TaskScope,
    work: WorkingTask,
    computation: Computation<Input, Result>,
    input: Input,
  ): Promise<Result> {
    this.#throwIfStopped();
    if (computation.sizeOf(...input) <= computation.inlineSize) return computation.run(...input);
    const effect = computing(computation, input, this.#options.workers);
    const key = keyOf(scope, effect);
    // Older recordings have no computations: nothing was let through while a task computed.
    if (this.#options.mode === "replay" && !this.#records.has(key)) return computation.run(...input);
    return work.whileWaiting(() => this.#perform(key, effect));
  }

  async #stream<T, C>(scope: TaskScope, effect: StreamedEffect<T, C>): Promise<T> {
    this.#throwIfStopped();
    const key = keyOf(scope, effect);
    const pieces = new StreamPieces<T, C>({
      effect,
      mask: this.#mask,
      append: (result, index) => this.#append({ key: pieceKey(key, index), kind: PIECE, request: null, ok: true, result }),
      waitForRelease: (record) => this.#order.waitForRelease(record),
    });
    const nextPiece = () => this.#records.get(pieceKey(key, pieces.count));
    for (let piece = nextPiece(); piece !== undefined; piece = nextPiece()) await pieces.pass(piece);
    const record = this.#records.get(key) ?? (await this.#endStream(key, effect, pieces));
    await this.#order.waitForRelease(record);
    pieces.throwIfRefused();
    if (!record.ok) throw errorOf(record);
    return record.result as T;
  }

  /** If a crash interrupted the stream before its end was kept, records `interrupted` instead of performing it again. */
  async #endStream<T, C>(key: string, effect: StreamedEffect<T, C>, pieces: StreamPieces<T, C>): Promise<JournalRecord> {
    const { kind, request, timeoutMs } = effect;
    if (pieces.count > 0 && this.#options.mode === "live" && !this.#repliesOf(key).any) {
      const error = new DossierError("interrupted", "The process ended during this call.");
      return this.#append({ key, kind, request, ...failureRecord(error) });
    }
    const live: Effect<T>["live"] = (signal, replies) => pieces.perform(signal, replies);
    const spend = (): void => void (effect.atLeast !== undefined && this.#options.sink.spend?.(effect.atLeast));
    const record = await this.#complete<T>(key, { kind, request, timeoutMs, live }).catch((error: unknown) => {
      // At a shutdown or a crash the call is made again, and counted then.
      if (this.stoppedBy === "cancel" || this.stoppedBy === "deadline") spend();
      throw error;
    });
    if (!record.ok && pieces.count > 0 && this.#options.mode === "live") spend();
    await pieces.passed();
    return record;
  }

  async #counting<T>({ kind }: Pick<Effect<T>, "kind">, perform: () => Promise<T>): Promise<T> {
    const calls = kind === "model" ? 1 : 0;
    this.#openCalls += calls;
    try {
      return await perform();
    } finally {
      this.#openCalls -= calls;
    }
  }

  async #complete<T>(key: string, effect: Effect<T>): Promise<JournalRecord> {
    const { kind, request } = effect;
    const cached = this.#cache.take(key);
    if (cached !== undefined) return this.#append({ key, kind, request, ok: cached.ok, result: cached.result, isCopy: true });
    if (this.#options.mode === "replay") return this.#reportUnrecorded(key, request);
    // Whatever dies then, at most the calls that were open side by side are made again.
    if (PAID.includes(kind)) await this.#whenStored(this.#paidStored);
    const replies = this.#repliesOf(key);
    const began = performance.now();
    const completion = await this.#traced(key, () => performLive(effect, this.signal, replies));
    const ms = performance.now() - began;
    // A refused database write is not recorded, so that the next attempt performs the effect again.
    if (!completion.ok && /^storage_/.test(completion.error.code)) this.abandon(completion.error);
    this.signal.throwIfAborted();
    const record = this.#append({ key, kind, request, ...completionRecord(completion, this.#mask) }, ms);
    replies.close();
    // A durable result is released only after its commit.
    if (effect.durable === true) await this.#whenStored(this.#options.sink.stored());
    return record;
  }

  #traced<T>(key: string, work: () => T): T {
    const { traced } = this.#options;
    return traced === undefined ? work() : traced(key, work);
  }

  #whenStored(stored: Promise<void>): Promise<void> {
    return this.#countingLoad(() => unlessAborted(stored, this.signal));
  }

  #repliesOf(key: string): EffectReplies {
    return this.#options.repliesOf?.(key) ?? NO_REPLIES;
  }

  async #countingLoad<T>(work: () => Promise<T>): Promise<T> {
    this.#pendingLoads += 1;
    try {
      return await work();
    } finally {
      this.#pendingLoads -= 1;
    }
  }

  #reportUnrecorded(key: string, request: JsonValue): Promise<never> {
    const missing = { place: key, message: `this request was never recorded: ${shorten(JSON.stringify(request))}` };
    this.#unrecorded ??= missing;
    if (!this.#order.stopAhead) this.#reportDifference(missing);
    return this.#stop.promise;
  }

  #reportStall(record: JournalRecord): void {
    const message = "the code does not make this recorded request, or does not emit an event before it";
    this.#reportDifference(this.#unrecorded ?? { place: describeRecord(record), message });
  }

  #append(completed: Pick<JournalRecord, "key" | "kind" | "request" | "ok" | "result" | "isCopy">, ms?: number): JournalRecord {
    const after = Math.max(this.#events.count, this.#options.mode === "live" ? this.#options.events.length : 0);
    const record = { ord: this.#order.records.length, after, ...completed, at: this.#clock.tick() };
    this.#options.sink.record(record, ms);
    if (PAID.includes(record.kind)) this.#paidStored = this.#options.sink.stored();
    this.#order.append(record);
    return record;
  }

  #emit(scope: TaskScope, build: (at: number) => DomainEvent): number {
    this.#throwIfStopped();
    const { logged, event, isNew } = this.#events.log(scope, build);
    if (isNew) this.#options.sink.event(logged, event, scope.node || null);
    return logged.at;
  }

  /** A repeated task may be faster than the recorded one, and so reach its next step before a signal that stopped it there. */
  #throwIfStopped(): void {
    this.#order.releaseSignals();
    this.signal.throwIfAborted();
  }

  #reportDifference(difference: Difference): void {
    this.firstDifference ??= difference;
    this.abandon(new DossierError("replay_diverged", `At ${difference.place}: ${difference.message}.`));
  }

  #applySignal(signal: RunSignal): void {
    this.#signals.released(signal);
    this.#isForked ||= signal === "fork";
    if (signal === "drain" || signal === "continue" || signal === "fork") this.#options.onDrain(signal !== "continue" || this.#isForked);
    else this.abandon(endBySignal(signal));
  }

  #advance(record: JournalRecord): void {
    this.#clock.advance(record.at);
    this.#spent = addSpent(this.#spent, record);
  }
}

function keyOf(scope: TaskScope, { kind, request }: Pick<Effect<unknown>, "kind" | "request">): string {
  return scope.nextKey(kind, hashJson(request));
}

function describeRecord(record: JournalRecord): string {
  return `record ${record.ord} (${record.key})`;
}
