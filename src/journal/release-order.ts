import type { JournalRecord } from "../domain/recording.ts";
import type { DossierError } from "../errors.ts";
import { afterMicrotasks, isTurnOver, takeTurn } from "../util/turns.ts";

/** If nothing happens for this many turns of the event loop and this many milliseconds, `onStall` is called. */
const STALL_TURNS = 200;
const STALL_MS = 1_000;
const STALL_POLL_MS = 5;

interface OrderOptions {
  readonly records: readonly JournalRecord[];
  readonly emitted: () => number;
  /** While this returns true, waiting is not a stall. */
  readonly hasPendingWork: () => boolean;
  /** While this returns true, signals (such as `cancel`) are released, and all other records wait. */
  readonly isTaskRunning: () => boolean;
  readonly recordNextSignal: () => void;
  readonly onSignal: (record: JournalRecord) => void;
  readonly onRelease: (record: JournalRecord) => void;
  /** Called when every task waits, but no task waits for the next record. */
  readonly onStall: (record: JournalRecord) => void;
}

/**
 * Releases results in the order of their records. The caller of an effect continues only when its record is released, so live runs,
 * recoveries and replays emit the same events.
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

  get stopAhead(): boolean {
    const isStop = ({ kind, request }: JournalRecord) => kind === "control" && (request === "cancel" || request === "deadline");
    return this.records.slice(this.#next).some(isStop);
  }

  /** Releases the signals that were recorded at this point of the run, without waiting for the next turn. */
  releaseSignals(): void {
    for (let record = this.upcoming; record?.kind === "control" && this.#release(record); ) record = this.upcoming;
  }

  append(record: JournalRecord): void {
    this.records.push(record);
    this.poke();
  }

  /** Resolves when the record is released. Rejects if `stop` is called first. Stays pending after `close`. */
  waitForRelease(record: JournalRecord): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.set(record.ord, turn);
    if (this.#stopped !== null) turn.reject(this.#stopped);
    this.poke();
    return turn.promise;
  }

  stop(reason: DossierError): void {
    this.#stopped ??= reason;
    for (const turn of this.#waiting.values()) turn.reject(this.#stopped);
  }

  /** Releases the next record in a later turn of the event loop, after the callbacks that already wait for that turn. */
  poke(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(this.#releaseInTurn);
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  readonly #releaseInTurn = (): void => {
    if (isTurnOver()) void takeTurn().then(this.#releaseNext);
    else this.#releaseNext();
  };

  readonly #releaseNext = (): void => {
    this.#scheduled = false;
    if (this.#closed) return;
    if (this.upcoming === undefined) this.#options.recordNextSignal();
    const record = this.upcoming;
    if (this.#closed || record === undefined) return;
    if (this.#release(record)) {
      this.#idleTurns = 0;
      this.#releaseAfter(record);
    } else {
      this.#idle(record);
    }
  };

  /** Releases the next record in this turn of the event loop if it is of the same task. Other tasks need a turn to react in a fixed order. */
  #releaseAfter(released: JournalRecord): void {
    this.#scheduled = true;
    // By then the task has gone on, and may have asked for the next record.
    afterMicrotasks(() => {
      const next = this.upcoming;
      if (next === undefined || taskOf(next) === taskOf(released)) this.#releaseInTurn();
      else setImmediate(this.#releaseInTurn);
    });
  }

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

  #idle(record: JournalRecord): void {
    const emitted = this.#options.emitted();
    if (this.#idleTurns === 0 || this.#options.hasPendingWork() || this.#options.isTaskRunning() || emitted !== this.#idleEmitted) {
      this.#idleTurns = 0;
      this.#idleSince = performance.now();
      this.#idleEmitted = emitted;
    }
    this.#idleTurns += 1;
    if (this.#idleTurns >= STALL_TURNS && performance.now() - this.#idleSince >= STALL_MS) return this.#options.onStall(record);
    this.#scheduled = true;
    if (this.#idleTurns < STALL_TURNS) setImmediate(this.#releaseNext);
    else setTimeout(this.#releaseNext, STALL_POLL_MS);
  }
}

function taskOf({ key }: JournalRecord): string {
  return key.slice(0, key.indexOf("#"));
}
