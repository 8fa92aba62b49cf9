import { sql } from "kysely";
import type { DomainEvent, LifecycleEvent } from "../domain/events.ts";
import type { LogBatch, Ownership } from "../domain/ports/run-store.ts";
import { NOTHING, type Spending, sumOf } from "../domain/quota.ts";
import { type JournalRecord, type LoggedEvent, PAID, type SegmentInput } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";
import { fieldsOf, parseJson } from "../util/json-fields.ts";
import { allRows, change, firstRow, insertRows, type Transaction } from "./database.ts";
import type { EventTail } from "./event-tail.ts";
import type { KeptReplyStore } from "./kept-replies.ts";
import { addSpending, useReserved } from "./spending.ts";
import type { EventRow, RunRow } from "./tables.ts";

type Lifecycle = LifecycleEvent | Extract<DomainEvent, { type: "run-ended" }>;
type Place = Pick<RunRow, "id" | "head" | "segment" | "epoch" | "tenant" | "thread_id" | "owner">;

/** Writes the events, the journal and the segments of runs. */
export class LogWriter {
  readonly #tail: EventTail | null;
  readonly #replies: KeptReplyStore;

  constructor(tail: EventTail | null, replies: KeptReplyStore) {
    this.#tail = tail;
    this.#replies = replies;
  }

  /** Advances the head of the log, and sets the crashes to 0 after progress, if the attempt still owns the run. @throws DossierError `fenced` */
  async fence(tx: Transaction, owner: Ownership, events: number, progress = false): Promise<Place> {
    const crashes = progress ? sql`, crashes = 0, crashed_alone = 0` : sql``;
    const row = await firstRow(
      tx,
      sql<Place>`update runs set head = head + ${events}${crashes}
        where id = ${owner.runId} and attempt = ${owner.attempt} and status = 'running'
        returning id, head, segment, epoch, tenant, thread_id, owner`,
    );
    return row ?? fenced(owner);
  }

  async append(tx: Transaction, owner: Ownership, batch: LogBatch, lastEvents: readonly LoggedEvent[] = []): Promise<Place> {
    const { records, events: unwritten } = batch.isAgain ? await missingOf(tx, owner, batch) : batch;
    const events = [...unwritten, ...lastEvents];
    const recorded = records.filter(isProgress).map(({ key }) => key);
    const place = await this.fence(tx, owner, events.length, recorded.length > 0);
    const { id: runId, head, segment, epoch } = place;
    await insertRows(
      tx,
      records.map((record) => [runId, segment, epoch, ...columnsOf(record)]),
      (values) => sql`insert into journal
        (run_id, segment, epoch, ord, after, key, kind, request, ok, result, at, counts, receipt, reusable) values ${values}`,
    );
    await this.#replies.delete(tx, owner, segment, recorded);
    const spent = sumOf(spentIn(records), batch.spent ?? NOTHING);
    await useReserved(tx, runId, spent);
    await addSpending(tx, place, spent, events.at(-1)?.at ?? records.at(-1)?.at ?? 0);
    await this.#insertEvents(tx, runId, head - events.length, events);
    return place;
  }

  async insertSegment(tx: Transaction, runId: string, position: number, epoch: number, input: SegmentInput): Promise<void> {
    const statement = sql`insert into segments (run_id, position, epoch, input, fingerprint)
      values (${runId}, ${position}, ${epoch}, ${JSON.stringify(input)}, '')`;
    await change(tx, statement);
  }

  /** Adds an event of the engine. Its number is the next one, unless `seq` was taken for it before. */
  async addLifecycle(tx: Transaction, runId: string, name: string, body: Lifecycle, at: number, seq?: number): Promise<void> {
    const next = sql<Pick<RunRow, "head">>`update runs set head = head + 1 where id = ${runId} returning head`;
    const head = seq ?? (await firstRow(tx, next))?.head;
    if (head === undefined) return;
    const event = { origin: `life/${body.type}/${name}`, at, path: "", body: JSON.stringify(body) };
    await this.#insertEvents(tx, runId, head - 1, [event]);
  }

  async #insertEvents(tx: Transaction, runId: string, seq: number, events: readonly LoggedEvent[]): Promise<void> {
    const rows = events.map(({ origin, at, path, body }, i) => [runId, seq + 1 + i, origin, at, path, body, ...kindOf(body)]);
    await insertRows(tx, rows, (values) => sql`insert into events (run_id, seq, origin, at, path, body, type, component) values ${values}`);
    const tail = this.#tail;
    if (tail !== null)
      tx.onCommit(() => {
        for (const [i, event] of events.entries()) tail.add({ ...event, run_id: runId, seq: seq + 1 + i });
      });
  }
}

/** Returns what of a batch is not stored. */
async function missingOf(tx: Transaction, { runId }: Ownership, { records, events }: LogBatch): Promise<LogBatch> {
  const last = sql<{ ord: number | null }>`select max(ord) as ord from journal
    where (run_id, segment, epoch) = (select id, segment, epoch from runs where id = ${runId})`;
  const stored = (await firstRow(tx, last))?.ord ?? -1;
  const logged = await allRows(tx, sql<Pick<EventRow, "origin">>`select origin from events where run_id = ${runId}`);
  const known = new Set(logged.map(({ origin }) => origin));
  return { records: records.filter(({ ord }) => ord > stored), events: events.filter(({ origin }) => !known.has(origin)) };
}

function columnsOf(record: JournalRecord): (string | number | null)[] {
  const { ord, after, key, kind, request, ok, result, at } = record;
  const completed = [key, kind, JSON.stringify(request), ok ? 1 : 0, JSON.stringify(result), at];
  return [ord, after, ...completed, counts(record) ? 1 : 0, receiptOf(record), isReusable(record) ? 1 : 0];
}

/** A link of a document that may not be reached was not asked for, so it is no download. */
function counts({ kind, ok, request, result }: JournalRecord): boolean {
  const isForbidden = !ok && fieldsOf(request)["isNamed"] === true && fieldsOf(result)["code"] === "forbidden_address";
  return PAID.includes(kind) && !(kind === "download" && isForbidden);
}

function receiptOf({ kind, ok, result }: JournalRecord): string | null {
  if (kind !== "model" || !ok) return null;
  const { model, usage, costUsd } = fieldsOf(result);
  const { inputTokens, outputTokens, estimated } = fieldsOf(usage);
  return JSON.stringify([model, inputTokens, outputTokens, costUsd, estimated]);
}

/** What these records have cost, each once. */
function spentIn(records: readonly JournalRecord[]): Spending {
  const spent = { tokens: 0, costUsd: 0 };
  for (const record of records) {
    if (record.kind !== "model" || !record.ok || record.isCopy) continue;
    const { usage, costUsd } = fieldsOf(record.result);
    const { inputTokens, outputTokens } = fieldsOf(usage);
    spent.tokens += Number(inputTokens ?? 0) + Number(outputTokens ?? 0);
    spent.costUsd += Number(costUsd ?? 0);
  }
  return spent;
}

function isReusable({ kind, ok, request }: JournalRecord): boolean {
  return ok && (kind === "tool" || kind === "intent" || (kind === "memo" && fieldsOf(request)["of"] === "tool result"));
}

/** Whether a record is the result of an effect. A signal, a piece of a stream and a call that a crash interrupted come again at every attempt. */
function isProgress({ kind, ok, result }: JournalRecord): boolean {
  return kind !== "control" && kind !== "piece" && (ok || fieldsOf(result)["code"] !== "interrupted");
}

const TYPE = /^\{"type":"([\w-]+)"/;

/** Returns the type of an event and, if it shows a whole component, the name of that. */
export function kindOf(body: string): [type: string, component: string | null] {
  const type = TYPE.exec(body)?.[1] ?? "";
  const { component, partial } = type === "component" ? fieldsOf(parseJson(body)) : {};
  return [type, partial === false && typeof component === "string" ? component : null];
}

export function fenced({ runId, attempt }: Ownership): never {
  throw new DossierError("fenced", `Attempt ${attempt} no longer owns run ${runId}. Nothing was written; a newer attempt continues it.`);
}
