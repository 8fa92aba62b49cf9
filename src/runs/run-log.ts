import type { DomainEvent } from "../domain/events.ts";
import type { JournalSink } from "../domain/ports/journal.ts";
import type { LogBatch, Ownership, RunStore, UnwrittenLog } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";

interface RunLogOptions {
  readonly store: RunStore;
  readonly owner: Ownership;
  readonly onCommit: () => void;
  readonly onEvent: (event: DomainEvent, node: string | null) => void;
  /** The writes were refused; nothing that was said since has been kept. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Where a live run's journal and events go: one batch for all that is said in a turn of the event loop. The batch is taken when it
 * is written, so that its order is the order of saying and nothing overtakes; what is refused stays in it.
 */
export class RunLog implements JournalSink, UnwrittenLog {
  readonly #options: RunLogOptions;
  #batch: { records: JournalRecord[]; events: LoggedEvent[] } | null = null;
  #lost = false;
  #stored: Promise<void> = Promise.resolve();

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  record(record: JournalRecord): void {
    this.#open().records.push(record);
  }

  event(event: LoggedEvent, body: DomainEvent, node: string | null): void {
    this.#open().events.push(event);
    this.#options.onEvent(body, node);
  }

  stored(): Promise<void> {
    return this.#stored;
  }

  peek(): LogBatch {
    return this.#batch ?? { records: [], events: [] };
  }

  written(): void {
    this.#batch = null;
  }

  #open(): { records: JournalRecord[]; events: LoggedEvent[] } {
    if (this.#batch !== null) return this.#batch;
    this.#batch = { records: [], events: [] };
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
