import { setTimeout as pause } from "node:timers/promises";
import type { DomainEvent } from "../domain/events.ts";
import type { JournalSink, OpenJournal, SegmentJournal } from "../domain/ports/journal.ts";
import type { ClaimedRun, LogBatch, Ownership, RunStore, SegmentEnd, UnwrittenLog } from "../domain/ports/run-store.ts";
import { NOTHING, type Spending, sumOf } from "../domain/quota.ts";
import type { JournalRecord, LoggedEvent, RunSignal } from "../domain/recording.ts";
import type { Termination } from "../domain/run.ts";
import { type DossierError, type ErrorCode, storedError, toDossierError } from "../errors.ts";
import type { GraphDefinition, GraphRegistry } from "../graphs/registry.ts";
import { type LastEvent, runSegment, type SegmentOutcome } from "./run-segment.ts";

/** Nodes normally end a run at its time limit. After this additional time the run is stopped. */
const DEADLINE_GRACE_MS = 15_000;
/** A run fails if its code does not repeat the recorded effects even after this many restarts. */
const MAX_EPOCHS = 5;
/** A run fails after this many crashes while it was alone in flight, without a new result between them. */
const MAX_CRASHES = 3;
const RELEASE_AFTER_MS = 1_000;

export interface ExecutionDeps {
  readonly store: RunStore;
  readonly graphs: GraphRegistry;
  readonly openJournal: OpenJournal;
  readonly clock: () => number;
  readonly onCommit: (runId: string) => void;
  readonly onEvent: (run: ClaimedRun, event: DomainEvent, node: string | null, logged: LoggedEvent) => void;
  /** Called with each effect that is performed, and not when its record is used again. */
  readonly onEffect: (run: ClaimedRun, record: JournalRecord, ms: number) => void;
  /** Performs the effect of this key within its trace. Default: there are no traces. */
  readonly traced?: (<T>(run: ClaimedRun, key: string, work: () => T) => T) | undefined;
  /** Opens what the tenant of the run has of its own. Returns what to call after the execution. Default: tenants have nothing of their own. */
  readonly enter?: (run: ClaimedRun) => Promise<() => void>;
  readonly onError: (message: string, run: ClaimedRun | null, error: DossierError) => void;
  /** Whether other processes may queue runs. */
  readonly hasOthers: boolean;
  /** Called when runs that were in flight at two crashes start one at a time, before all others. */
  readonly onStartAlone: (runIds: readonly string[]) => void;
}

/** One attempt at a run: executes the current segment and stores how it ended. */
export class Execution {
  readonly done: Promise<void>;
  readonly runId: string;
  readonly #deps: ExecutionDeps;
  #run: ClaimedRun;
  #journal: SegmentJournal | null = null;
  #abandoned: DossierError | null = null;
  readonly #signals = new Set<RunSignal>();
  #log: RunLog;

  constructor(run: ClaimedRun, deps: ExecutionDeps) {
    this.#run = run;
    this.runId = run.runId;
    this.#deps = deps;
    this.#log = this.#openLog();
    if (run.cancelRequested) this.#signals.add("cancel");
    this.done = this.#execute().catch((error: unknown) => this.#giveUp(toDossierError(error)));
  }

  send(signal: RunSignal): void {
    this.#signals.add(signal);
    this.#journal?.send(signal);
  }

  abandon(reason: DossierError): void {
    this.#abandoned = reason;
    this.#journal?.abandon(reason);
  }

  async #execute(): Promise<void> {
    const { fault } = this.#run;
    if (fault !== null) return this.#fail(fault.code, fault.message);
    const definition = this.#deps.graphs.get(this.#run.graph);
    if (definition === undefined)
      return this.#fail(
        "unknown_graph",
        `This server no longer has the graph ${this.#run.graph}. What was recorded is kept; start the run again with another graph.`,
      );
    if (this.#run.crashesAlone >= MAX_CRASHES) return this.#fail("crashed", crashMessage(this.#run));
    const leave = await this.#deps.enter?.(this.#run);
    try {
      await this.#executeIn(definition);
    } finally {
      leave?.();
    }
  }

  async #executeIn(definition: GraphDefinition): Promise<void> {
    if (this.#run.segment.fingerprint !== definition.fingerprint) {
      await this.#restart(definition, "the program, the graph or its prompts have changed");
    }
    for (;;) {
      const outcome = await this.#runSegment(definition);
      if (outcome.type === "lost") throw outcome.error;
      if (outcome.type === "end") return this.#end(outcome.end, outcome.last);
      const { place, message } = outcome.difference;
      if (this.#run.segment.epoch >= MAX_EPOCHS) return this.#fail("replay_diverged", divergenceMessage(message));
      await this.#restart(definition, `it no longer goes as recorded: at ${place}, ${message}`);
    }
  }

  async #runSegment(definition: GraphDefinition): Promise<SegmentOutcome> {
    const { runId, attempt, segment, interrupts, limits, ranMs } = this.#run;
    const remainingMs = Math.max(0, limits.seconds * 1000 - ranMs) + DEADLINE_GRACE_MS;
    const deadline = setTimeout(() => this.send("deadline"), remainingMs);
    const { index, epoch } = segment;
    const { store, clock } = this.#deps;
    const repliesOf = (key: string) => store.repliesOf({ runId, attempt, segment: index, key });
    const journalOptions = {
      ...this.#run,
      segment: index,
      epoch,
      mode: "live",
      sink: this.#log,
      clock,
      repliesOf,
      ...this.#tracing(),
    } as const;
    try {
      return await runSegment({
        runId,
        attempt,
        definition,
        segment,
        interrupts,
        steps: Math.max(limits.steps, definition.minSteps),
        openJournal: (onDrain) => this.#deps.openJournal({ ...journalOptions, onDrain }),
        onOpen: (journal) => {
          this.#journal = journal;
          for (const signal of this.#signals) journal.send(signal);
          if (this.#abandoned !== null) journal.abandon(this.#abandoned);
        },
      });
    } finally {
      clearTimeout(deadline);
    }
  }

  #tracing() {
    const { traced } = this.#deps;
    return traced && { traced: <T>(key: string, work: () => T): T => traced(this.#run, key, work) };
  }

  async #restart(definition: GraphDefinition, reason: string): Promise<void> {
    const { fingerprint } = definition;
    this.#run = await this.#deps.store.restart(this.#run, { reason, fingerprint, at: this.#deps.clock() });
    this.#log = this.#openLog();
    this.#deps.onCommit(this.runId);
  }

  #fail(code: ErrorCode, message: string): Promise<void> {
    const termination: Termination = { reason: "failed", node: null, detail: message };
    const event: DomainEvent = { type: "run-ended", status: "failed", termination };
    const logged = { origin: `life/run-ended/${code}`, at: this.#deps.clock(), path: "", body: JSON.stringify(event) };
    return this.#end({ type: "ended", status: "failed", termination, report: null, error: { code, message } }, { event, logged });
  }

  async #end(end: SegmentEnd, last: LastEvent | null): Promise<void> {
    const error = end.type === "ended" && end.error !== null ? storedError(end.error) : null;
    if (error !== null) this.#deps.onError("run failed", this.#run, error);
    const lastEvents = last?.logged ? [last.logged] : [];
    if (last?.logged) this.#deps.onEvent(this.#run, last.event, null, last.logged);
    await this.#deps.store.endSegment(this.#run, end, { log: this.#log, lastEvents, at: this.#deps.clock() });
    this.#deps.onCommit(this.runId);
  }

  /** Returns the run to the queue, unless another attempt owns it. The next attempt continues from the record. */
  async #giveUp(error: DossierError): Promise<void> {
    const { code } = error;
    // The storage reports refused writes once for all runs, and a drain is not an error.
    const isKnown = code === "storage_unavailable" || code === "draining";
    const message = code === "fenced" ? "attempt stopped: another attempt owns the run" : "attempt failed: the run goes back to the queue";
    if (!isKnown) this.#deps.onError(message, this.#run, error);
    this.#deps.store.forget(this.#run);
    // With a damaged database the service stops.
    if (code === "fenced" || code === "storage_damaged") return;
    // If this fails at a shutdown, the next start counts a crash.
    if (code === "draining") return void (await this.#leave(false));
    for (let left = false; !left && this.#abandoned?.code !== "draining"; ) {
      await pause(RELEASE_AFTER_MS);
      left = await this.#leave(!isKnown);
    }
  }

  /** Writes what is not yet written, so that nothing is performed again. Returns whether another attempt may go on. */
  async #leave(crashed: boolean): Promise<boolean> {
    try {
      await this.#deps.store.release(this.#run, { crashed, log: this.#log });
      return true;
    } catch (error) {
      const { code } = toDossierError(error);
      // A log that can never be written must not hold up the run.
      if (code !== "storage_unavailable") this.#log = this.#openLog();
      return code === "fenced";
    }
  }

  #openLog(): RunLog {
    return new RunLog({
      store: this.#deps.store,
      owner: this.#run,
      onCommit: () => this.#deps.onCommit(this.runId),
      onEvent: (event, node, logged) => this.#deps.onEvent(this.#run, event, node, logged),
      onEffect: (record, ms) => this.#deps.onEffect(this.#run, record, ms),
      onLost: (error) => this.abandon(toDossierError(error)),
    });
  }
}

function crashMessage({ crashesAlone }: ClaimedRun): string {
  const crashes = `The process crashed ${crashesAlone} times while it executed this run and no other`;
  return `${crashes}, and no result was recorded between. The recorded results are kept. Ask again to try once more.`;
}

function divergenceMessage(message: string): string {
  const advice = "The recorded results are kept; start the run again to use the new code.";
  return `Replay failed ${MAX_EPOCHS} times, because the code no longer produces the recorded requests: ${message}. ${advice}`;
}

interface RunLogOptions {
  readonly store: RunStore;
  readonly owner: Ownership;
  readonly onCommit: () => void;
  readonly onEvent: (event: DomainEvent, node: string | null, logged: LoggedEvent) => void;
  readonly onEffect: (record: JournalRecord, ms: number) => void;
  readonly onLost: (error: unknown) => void;
}

interface Batch {
  readonly records: JournalRecord[];
  readonly events: LoggedEvent[];
  spent: Spending;
  readonly isAgain?: boolean;
}

const emptyBatch = (): Batch => ({ records: [], events: [], spent: NOTHING });

class RunLog implements JournalSink, UnwrittenLog {
  readonly #options: RunLogOptions;
  #batch: Batch | null = null;
  #lost = false;
  #stored: Promise<void> = Promise.resolve();

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  record(record: JournalRecord, ms?: number): void {
    this.#open().records.push(record);
    if (ms !== undefined) this.#options.onEffect(record, ms);
  }

  spend(spent: Spending): void {
    const batch = this.#open();
    batch.spent = sumOf(batch.spent, spent);
  }

  event(event: LoggedEvent, body: DomainEvent, node: string | null): void {
    this.#open().events.push(event);
    this.#options.onEvent(body, node, event);
  }

  stored(): Promise<void> {
    return this.#stored;
  }

  take(): LogBatch {
    const batch = this.#batch ?? emptyBatch();
    this.#batch = null;
    return batch;
  }

  putBack({ records, events, spent = NOTHING }: LogBatch): void {
    if (records.length + events.length === 0 && spent.tokens === 0) return;
    const later = this.#batch ?? emptyBatch();
    this.#batch = {
      records: [...records, ...later.records],
      events: [...events, ...later.events],
      spent: sumOf(spent, later.spent),
      isAgain: true,
    };
  }

  #open(): Batch {
    if (this.#batch !== null) return this.#batch;
    this.#batch = emptyBatch();
    const { store, owner, onCommit } = this.#options;
    this.#stored = store.append(owner, this).then(onCommit, (error: unknown) => this.#lose(error));
    return this.#batch;
  }

  #lose(error: unknown): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#options.onLost(error);
  }
}
