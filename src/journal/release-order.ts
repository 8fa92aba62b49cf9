import type { JournalRecord } from "../domain/recording.ts";
import type { DossierError } from "../errors.ts";

/** A record that no task requests is a stall after this many turns of the event loop and this many milliseconds without progress. */
const STALL_TURNS = 200;
const STALL_MS = 300;
const STALL_POLL_MS = 5;

interface OrderOptions {
  readonly records: readonly JournalRecord[];
  readonly emitted: () => number;
  /** Whether unrecorded work is pending. Waiting for that work is no stall. */
  readonly hasPendingWork: () => boolean;
  /** Whether a task runs code now. Until it waits, only run signals are released. */
  readonly isTaskRunning: () => boolean;
  /** Called when all records are released. Records the next run signal, if there is one. */
  readonly recordNextSignal: () => void;
  readonly onSignal: (record: JournalRecord) => void;
  readonly onRelease: (record: JournalRecord) => void;
  /** Called when all tasks wait, but none for the record that is next. */
  readonly onStall: (record: JournalRecord) => void;
}

/**
 * Releases completions in the order of their records: the caller of an effect continues with the result only when its record is released.
 * One record is released per turn of the event loop, so that all its consequences come before the next. Live runs, recoveries and replays
 * therefore emit the same events. Records of the kind `control` are run signals, such as a cancel; no caller waits for them.
 */
export class ReleaseOrder {
  readonly records: JournalRecord[];
  readonly #options: OrderOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #stopped: DossierError | null = null;
  #next = 0;
  #scheduled = false;
  #closed = false;
  #idleTurns = 0;
  #idleSince = 0;
  #idleEmitted = -1;

  constructor(options: OrderOptions) {
    this.#options = options;
    this.records = [...options.records];
  }

  get upcoming(): JournalRecord | undefined {
    return this.records[this.#next];
  }

  /** Whether a record that is not released yet is a cancel or a deadline. */
  get stopAhead(): boolean {
    const isStop = ({ kind, request }: JournalRecord) => kind === "control" && (request === "cancel" || request === "deadline");
    return this.records.slice(this.#next).some(isStop);
  }

  append(record: JournalRecord): void {
    this.records.push(record);
    this.poke();
  }

  /** Resolves when the record is released; rejects if `stop` is called first; stays pending after `close`. */
  waitForRelease(record: JournalRecord): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.set(record.ord, turn);
    if (this.#stopped !== null) turn.reject(this.#stopped);
    this.poke();
    return turn.promise;
  }

  /** Rejects all pending `waitForRelease` calls. Their records still count as requested. */
  stop(reason: DossierError): void {
    this.#stopped ??= reason;
    for (const turn of this.#waiting.values()) turn.reject(this.#stopped);
  }

  poke(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(this.#releaseNext);
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  readonly #releaseNext = (): void => {
    this.#scheduled = false;
    if (this.#closed) return;
    if (this.upcoming === undefined) this.#options.recordNextSignal();
    const record = this.upcoming;
    if (this.#closed || record === undefined) return;
    if (this.#release(record)) {
      this.#idleTurns = 0;
      this.poke();
    } else {
      this.#idle(record);
    }
  };

  #release(record: JournalRecord): boolean {
    if (this.#options.emitted() < record.after) return false;
    const turn = this.#waiting.get(record.ord);
    if (turn === undefined && record.kind !== "control") return false;
    if (turn !== undefined && this.#options.isTaskRunning()) return false;
    this.#next += 1;
    this.#waiting.delete(record.ord);
    if (turn === undefined) {
      this.#options.onSignal(record);
    } else {
      this.#options.onRelease(record);
      turn.resolve();
    }
    return true;
  }

  /** Counts turns before time, so that a slow machine is no stall. A node that waits on a timer would be one; pauses.test.ts forbids that. */
  #idle(record: JournalRecord): void {
    const emitted = this.#options.emitted();
    if (this.#idleTurns === 0 || this.#options.hasPendingWork() || this.#options.isTaskRunning() || emitted !== this.#idleEmitted) {
      this.#idleTurns = 0;
      this.#idleSince = performance.now();
      this.#idleEmitted = emitted;
    }
    this.#idleTurns += 1;
    if (this.#idleTurns < STALL_TURNS) return this.poke();
    if (performance.now() - this.#idleSince >= STALL_MS) return this.#options.onStall(record);
    this.#scheduled = true;
    setTimeout(this.#releaseNext, STALL_POLL_MS);
  }
}
