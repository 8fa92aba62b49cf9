import { sql } from "kysely";
import type { Fork, RunStore } from "../domain/ports/run-store.ts";
import type { SegmentInput, TaskChanges } from "../domain/recording.ts";
import type { Task } from "../domain/task.ts";
import { DossierError } from "../errors.ts";
import { countOf, fieldsOf, parseJson } from "../util/json-fields.ts";
import { allRows, CLIENT, change, firstRow, storable, type Transaction } from "./database.ts";
import { type Queued, readiness } from "./run-queue.ts";
import type { RunTables } from "./run-tables.ts";
import { admit, reservedBy } from "./spending.ts";
import type { EventRow, RunRow } from "./tables.ts";

/** Where a fork leaves its source: at the end of a step of this segment, which had emitted so many events. */
interface Boundary {
  readonly segment: number;
  readonly epoch: number;
  readonly events: number;
}

type Logged = Pick<EventRow, "seq" | "origin" | "body"> & { readonly type: string };

/**
 * Stores a new run that has the records of another one up to a step. It replays them, so nothing is asked again, and goes on from there.
 * What is changed counts from that step on.
 */
export function createRunFork(tables: RunTables): Pick<RunStore, "fork"> {
  const { database, log, queue } = tables;
  return {
    fork: (asked) =>
      database.write(async (tx) => {
        const source = await firstRow(tx, sql<RunRow>`select * from runs where id = ${asked.runId} and tenant = ${asked.tenant}`);
        if (source === undefined) throw new DossierError("not_found", `There is no run ${asked.runId}.`);
        if (source.status === "queued" || source.status === "running")
          throw new DossierError("run_not_finished", "The run is queued or running, so it was not forked. Wait for its end, or cancel it.");
        await queue.lockThread(tx, source);
        await admit(tx, asked);
        const boundary = boundaryOf(await eventsOf(tx, source.id), asked.afterSeq);
        const fork = await insertRun(tx, { source, asked, boundary });
        if (boundary.segment > 0) await copySegments(tx, source, asked.id, boundary);
        else await log.addLifecycle(tx, asked.id, "0", { type: "run-queued" }, asked.at, 1);
        await copyRows(tx, "run_documents", ["content_hash", "details"], asked.id, sql`run_id = ${source.id}`);
        await beginAt(tx, source, asked, boundary);
        if (fork.ready === 1) await queue.enter(tx, fork);
      }, CLIENT),
  };
}

function eventsOf(tx: Transaction, runId: string): Promise<Logged[]> {
  const kinds = sql`case when type = 'node-started' then body else '' end as body`;
  return allRows(tx, sql<Logged>`select seq, origin, type, ${kinds} from events where run_id = ${runId} order by seq`);
}

/** @throws DossierError `invalid_request` if no step begins after what is kept */
function boundaryOf(events: readonly Logged[], afterSeq: number): Boundary {
  const inSegment =
    events.findLast(({ seq, origin }) => seq <= afterSeq && /^\d/.test(origin)) ?? events.find(({ origin }) => /^\d/.test(origin));
  const prefix = inSegment?.origin.slice(0, inSegment.origin.indexOf("/") + 1) ?? "";
  const own = events.filter(({ origin }) => origin.startsWith(prefix) && !origin.startsWith(`${prefix}end@`));
  const begun = own.flatMap((event, at) =>
    isOuter(event, prefix) && event.type === "node-started" ? [{ event, at, step: stepOf(event) }] : [],
  );
  const ended = own.filter((event) => isOuter(event, prefix) && event.type === "node-ended" && event.seq <= afterSeq);
  const open = begun.filter(({ event }) => event.seq <= afterSeq && !ended.some((end) => taskOf(end) === taskOf(event)));
  const last = begun.findLast(({ event }) => event.seq <= afterSeq);
  // The step in which the event falls is made again, unless all of it had ended.
  const next = begun.find(({ step }) => step > (last?.step ?? Number.NEGATIVE_INFINITY));
  const first = open.length > 0 ? begun.find(({ step }) => step === open[0]?.step) : next;
  if (prefix === "" || first === undefined) throw noStepAfter(afterSeq, begun.at(-1)?.event.seq ?? 0);
  const [segment = 0, epoch = 0] = prefix.slice(0, -1).split(".").map(Number);
  return { segment, epoch, events: first.at };
}

function taskOf({ origin }: Pick<Logged, "origin">): string {
  return origin.slice(0, origin.lastIndexOf("@"));
}

function isOuter(event: Logged, prefix: string): boolean {
  return !taskOf(event).slice(prefix.length).includes("/");
}

function stepOf({ body }: Logged): number {
  return countOf(fieldsOf(parseJson(body))["step"]) ?? 0;
}

function noStepAfter(afterSeq: number, latest: number): DossierError {
  const message = `No step begins after the event ${afterSeq}, so a fork could change nothing. Nothing was stored. Name an event before ${latest}.`;
  return new DossierError("invalid_request", message, { faults: [{ path: "/afterSeq", message: `must be less than ${latest}` }] });
}

interface Inserting {
  readonly source: RunRow;
  readonly asked: Fork;
  readonly boundary: Boundary;
}

async function insertRun(tx: Transaction, { source, asked, boundary }: Inserting): Promise<Queued & Pick<RunRow, "ready">> {
  const { id, owner, question, request, requestHash, at, admission } = asked;
  const { tenant, thread_id: threadId, graph, limits } = source;
  const values = [id, tenant, threadId, owner, graph, storable(question), JSON.stringify(request), limits, "queued", 1, requestHash, at];
  const begun = boundary.segment === 0 ? [0, null] : [source.attempt, source.started_at];
  const where = [boundary.segment, boundary.epoch, source.id, ...begun];
  const row = await firstRow(
    tx,
    sql<
      Queued & Pick<RunRow, "ready">
    >`insert into runs (id, tenant, thread_id, owner, graph, question, request, limits, status, head, request_hash,
        created_at, segment, epoch, forked_from, attempt, started_at, reserved_tokens, reserved_usd, ready)
      values (${sql.join([...values, ...where, ...reservedBy(admission)])}, ${readiness({ id, tenant, threadId, startAfter: null })})
      returning id, tenant, thread_id, priority, start_after, ready`,
  );
  if (row === undefined) throw new DossierError("internal", "The fork was not stored.");
  return row;
}

/** Copies what is complete: the segments before the fork, with their questions, answers and checkpoints. */
async function copySegments(tx: Transaction, source: RunRow, id: string, { segment, epoch }: Boundary): Promise<void> {
  const isLatest = sql`run_id = ${source.id} and segment < ${segment}
    and (segment, epoch) in (select position, max(epoch) from segments where run_id = ${source.id} group by position)`;
  await copyRows(tx, "segments", SEGMENT, id, sql`run_id = ${source.id} and position < ${segment}`);
  await copyRows(tx, "journal", JOURNAL, id, isLatest);
  await copyRows(tx, "pending", PENDING, id, sql`run_id = ${source.id} and id < ${`${segment}.`}`);
  const begin = sql`(select min(seq) from events where run_id = ${source.id} and origin like ${`${segment}.${epoch}/%`})`;
  await copyRows(tx, "events", EVENT, id, sql`run_id = ${source.id} and seq < ${begin}`);
  await change(tx, sql`update runs set head = (select max(seq) from events where run_id = ${id}) where id = ${id}`);
  for (const [table, columns] of CHECKPOINT_TABLES) {
    const names = sql.join(columns.map((name) => sql.ref(name)));
    await change(
      tx,
      sql`insert into ${sql.table(table)} (thread_id, ${names}) select ${id}, ${names} from ${sql.table(table)}
        where thread_id = ${source.id} and segment < ${segment}`,
    );
  }
}

const SEGMENT = ["position", "epoch", "input", "fingerprint"];
const JOURNAL_VALUES = ["key", "kind", "request", "ok", "result", "at", "counts", "receipt", "reusable"];
const JOURNAL = ["segment", "epoch", "ord", "after", ...JOURNAL_VALUES];
const PENDING = ["id", "interrupt_id", "body", "answer"];
const EVENT = ["seq", "origin", "at", "path", "body", "type", "component"];
const PLACE = ["checkpoint_ns", "checkpoint_id"];
const CHECKPOINT_TABLES = [
  ["checkpoints", [...PLACE, "parent_checkpoint_id", "type", "checkpoint", "metadata", "segment"]],
  ["writes", [...PLACE, "task_id", "idx", "task_path", "channel", "type", "value", "segment"]],
] as const;

async function copyRows(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  id: string,
  where: ReturnType<typeof sql>,
): Promise<void> {
  const names = sql.join(columns.map((name) => sql.ref(name)));
  await change(tx, sql`insert into ${sql.table(table)} (run_id, ${names}) select ${id}, ${names} from ${sql.table(table)} where ${where}`);
}

/** Gives the fork the begun segment: its input, what it recorded before the step, and the signal that ends it there if something changes. */
async function beginAt(tx: Transaction, source: RunRow, asked: Fork, { segment, epoch, events }: Boundary): Promise<void> {
  const { id, changes, at } = asked;
  const place = sql`run_id = ${source.id} and position = ${segment} and epoch = ${epoch}`;
  const begun = await firstRow(tx, sql<{ input: string; fingerprint: string }>`select input, fingerprint from segments where ${place}`);
  const input = JSON.parse(begun?.input ?? "null") as SegmentInput;
  const isFirst = segment === 0 && events === 0;
  const own = isFirst ? withChanges(input, changes) : input;
  await change(
    tx,
    sql`insert into segments (run_id, position, epoch, input, fingerprint)
      values (${id}, ${segment}, ${epoch}, ${JSON.stringify(own)}, ${begun?.fingerprint ?? ""})`,
  );
  const names = sql.join(["after", ...JOURNAL_VALUES].map((name) => sql.ref(name)));
  const kept = await change(
    tx,
    sql`insert into journal (run_id, segment, epoch, ord, ${names})
      select ${id}, segment, epoch, row_number() over (order by ord) - 1, ${names} from journal
      where run_id = ${source.id} and segment = ${segment} and epoch = ${epoch} and kind <> 'control' and after < ${events}`,
  );
  if (isFirst || Object.keys(changes).length === 0) return;
  await change(tx, sql`update runs set changes = ${JSON.stringify(changes)} where id = ${id}`);
  // Before the last event of the step, so that the run stops at its end.
  const signal = [id, segment, epoch, kept, events - 1, `#control#fork#${kept}`, "control", '"fork"', 1, "null", at, 0, 0];
  await change(
    tx,
    sql`insert into journal (run_id, segment, epoch, ord, after, key, kind, request, ok, result, at, counts, reusable) values (${sql.join(signal)})`,
  );
}

/** Returns the input of a segment that begins, with what a fork changes if that was still to come. */
export async function takeChanges(tx: Transaction, { id, changes }: Pick<RunRow, "id" | "changes">, input: SegmentInput) {
  if (changes === null) return input;
  await change(tx, sql`update runs set changes = null where id = ${id}`);
  return withChanges(input, JSON.parse(changes));
}

function withChanges(input: SegmentInput, changes: TaskChanges): SegmentInput {
  if (input.type === "start") return { type: "start", task: { ...input.task, ...changes } as Task };
  return { ...input, changes: { ...input.changes, ...changes } };
}
