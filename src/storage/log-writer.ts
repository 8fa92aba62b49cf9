import type { DomainEvent, LifecycleEvent } from "../domain/events.ts";
import type { LogBatch, Ownership } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent, SegmentInput } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";
import { fieldsOf } from "../util/json-fields.ts";
import type { EventTail } from "./event-tail.ts";
import { EVENTS_AT_ONCE, type Statements } from "./run-statements.ts";

type Lifecycle = LifecycleEvent | Extract<DomainEvent, { type: "run-ended" }>;

/** Writes the events, the journal and the segments of runs. Call its methods in a transaction. */
export class LogWriter {
  readonly #sql: Statements;
  readonly #tail: EventTail;

  constructor(sql: Statements, tail: EventTail) {
    this.#sql = sql;
    this.#tail = tail;
  }

  /** Advances the head of the log, and sets the crashes to 0 after progress, if the attempt still owns the run. @throws DossierError `fenced` */
  fence(owner: Ownership, events: number, progress = false): { head: number; segment: number; epoch: number } {
    return this.#sql.advance.get({ ...owner, events, progress: progress ? 1 : 0 }) ?? fenced(owner);
  }

  append(owner: Ownership, { records, events: unwritten }: LogBatch, lastEvents: readonly LoggedEvent[] = []): void {
    const events = [...unwritten, ...lastEvents];
    const { head, segment, epoch } = this.fence(owner, events.length, records.some(isProgress));
    const { runId } = owner;
    for (const record of records) {
      const { ord, after, key, kind, request, ok, result, at } = record;
      const completed = [key, kind, JSON.stringify(request), ok ? 1 : 0, JSON.stringify(result), at];
      this.#sql.insertRecord.run(runId, segment, epoch, ord, after, ...completed);
      if (isProgress(record)) this.#sql.deleteReplies.run(runId, segment, key);
    }
    this.#insertEvents(runId, head - events.length, events);
  }

  #insertEvents(runId: string, seq: number, events: readonly LoggedEvent[]): void {
    const { insertEvent, insertEvents } = this.#sql;
    const rows = events.map(({ origin, at, path, body }, index) => [runId, seq + 1 + index, origin, at, path, body]);
    const grouped = rows.length - (rows.length % EVENTS_AT_ONCE);
    for (let first = 0; first < grouped; first += EVENTS_AT_ONCE) insertEvents.run(rows.slice(first, first + EVENTS_AT_ONCE).flat());
    for (const row of rows.slice(grouped)) insertEvent.run(row);
    for (const [index, event] of events.entries()) this.#tail.add({ ...event, run_id: runId, seq: seq + 1 + index });
  }

  insertSegment(runId: string, position: number, epoch: number, input: SegmentInput): void {
    this.#sql.insertSegment.run(runId, position, epoch, JSON.stringify(input));
  }

  addLifecycle(runId: string, name: string, body: Lifecycle, at: number): void {
    const row = this.#sql.nextSeq.get(runId);
    if (row !== undefined) this.insertLifecycle(runId, row.head, name, body, at);
  }

  insertLifecycle(runId: string, seq: number, name: string, body: Lifecycle, at: number): void {
    const event = { origin: `life/${body.type}/${name}`, at, path: "", body: JSON.stringify(body) };
    this.#insertEvents(runId, seq - 1, [event]);
  }
}

/** Whether a record is the result of an effect. A signal, a piece of a stream and a call that a crash interrupted come again at every attempt. */
function isProgress({ kind, ok, result }: JournalRecord): boolean {
  return kind !== "control" && kind !== "piece" && (ok || fieldsOf(result)["code"] !== "interrupted");
}

export function fenced({ runId, attempt }: Ownership): never {
  throw new DossierError("fenced", `Attempt ${attempt} no longer owns run ${runId}. Nothing was written; a newer attempt continues it.`);
}
