import type { JournalRecord } from "../domain/recording.ts";
import type { DossierError } from "../errors.ts";

/** How long nothing may move before a record that nobody asks for counts as a difference. */
const STALL_TURNS = 200;
const STALL_MS = 300;
const STALL_POLL_MS = 5;

interface OrderOptions {
  readonly records: readonly JournalRecord[];
  /** Events said so far in this segment. */
  readonly emitted: () => number;
  /** Whether something outside the records is on its way, so that standing still is no stall. */
  readonly busy: () => boolean;
  /** Whether a task works by itself: no completion is let through until it waits, only what stops or drains the run. */
  readonly held: () => boolean;
  /** All records are through: a control that has been asked for is recorded now, and has its turn at once. */
  readonly nextControl: () => void;
  /** A control's turn has come. */
  readonly onControl: (record: JournalRecord) => void;
  readonly onRelease: (record: JournalRecord) => void;
  /** Nothing moves, and this record is the one that everything waits for. */
  readonly onStall: (record: JournalRecord) => void;
}

/**
 * Lets completions through in the order of their records, one per turn of the event loop, so that all that follows from
 * one has happened before the next. Live completions are appended to the same order. The rule is the same in a live run, in a
 * recovery and in a replay, which is why all three say the same events in the same order.
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

  /** The record whose turn is next, or undefined when all are through. */
  get upcoming(): JournalRecord | undefined {
    return this.records[this.#next];
  }

  /** Whether a cancel or a deadline stands among the records that are still to come. */
  get stopAhead(): boolean {
    return this.records
      .slice(this.#next)
      .some(({ kind, request }) => kind === "control" && (request === "cancel" || request === "deadline"));
  }

  /** Adds a completion (or a control) at the end of the order. */
  append(record: JournalRecord): void {
    this.records.push(record);
    this.poke();
  }

  /** Resolves when it is this record's turn, never after `close`; rejects where `stop` comes first. */
  turn(record: JournalRecord): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.set(record.ord, turn);
    if (this.#stopped !== null) turn.reject(this.#stopped);
    this.poke();
    return turn.promise;
  }

  /** Nobody needs to wait any more. What has been asked for still counts as asked for. */
  stop(reason: DossierError): void {
    this.#stopped ??= reason;
    for (const turn of this.#waiting.values()) turn.reject(this.#stopped);
  }

  /** Looks again in the next turn of the event loop whether something can be let through. */
  poke(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(this.#look);
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  readonly #look = (): void => {
    this.#scheduled = false;
    if (this.#closed) return;
    if (this.upcoming === undefined) this.#options.nextControl();
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
    if (turn !== undefined && this.#options.held()) return false;
    this.#next += 1;
    this.#waiting.delete(record.ord);
    if (turn === undefined) {
      this.#options.onControl(record);
    } else {
      this.#options.onRelease(record);
      turn.resolve();
    }
    return true;
  }

  /**
   * Turns are counted first and then time, so that a slow machine does not look like a stall. Whatever pauses for longer than
   * that without an effect does, a retry policy's back-off for instance; no node may have one (test/architecture/pauses.test.ts).
   */
  #idle(record: JournalRecord): void {
    const emitted = this.#options.emitted();
    if (this.#idleTurns === 0 || this.#options.busy() || this.#options.held() || emitted !== this.#idleEmitted) {
      this.#idleTurns = 0;
      this.#idleSince = performance.now();
      this.#idleEmitted = emitted;
    }
    this.#idleTurns += 1;
    if (this.#idleTurns < STALL_TURNS) return this.poke();
    if (performance.now() - this.#idleSince >= STALL_MS) return this.#options.onStall(record);
    this.#scheduled = true;
    setTimeout(this.#look, STALL_POLL_MS);
  }
}
