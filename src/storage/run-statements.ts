import type Database from "better-sqlite3";
import type { EventRow, JournalRow, PendingRow, RunRow, SegmentRow } from "./schema.ts";
import type { Rows, WriteQueue } from "./write-queue.ts";

/** Claims the oldest queued run whose conversation thread is idle. The caller inserts the event `run-started`. */
function take(condition: string): string {
  return `update runs
    set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, max(?, created_at)), head = head + 1
    where position = (select waiting.position from runs waiting where waiting.status = 'queued' ${condition} and not exists
      (select 1 from runs busy where busy.thread_id = waiting.thread_id and busy.tenant = waiting.tenant and busy.status = 'running')
      order by waiting.position limit 1)
    returning *`;
}

/** Inserting several rows per statement takes less than half the time. */
export const EVENTS_AT_ONCE = 12;

export function prepareStatements(database: Database.Database, queue: WriteQueue) {
  const write = (text: string): Database.Statement => database.prepare(text);
  const rows = <Row>(text: string): Rows<Row> => queue.rows(text);
  const insertEvents = (count: number): Database.Statement =>
    write(`insert into events (run_id, seq, origin, at, path, body) values ${Array(count).fill("(?, ?, ?, ?, ?, ?)").join(", ")}`);
  return {
    findByKey: rows<Pick<RunRow, "id" | "request_hash">>("select id, request_hash from runs where tenant = ? and idempotency_key = ?"),
    insertRun:
      write(`insert into runs (id, tenant, thread_id, graph, question, request, limits, status, head, idempotency_key, request_hash, created_at)
      values (?, ?, ?, ?, ?, ?, ?, 'queued', 1, ?, ?, ?)`),
    insertSegment: write("insert into segments (run_id, position, epoch, input, fingerprint) values (?, ?, ?, ?, '')"),
    setFingerprint: write("update segments set fingerprint = ? where run_id = ? and position = ? and epoch = ?"),
    insertRecord: write(`insert into journal (run_id, segment, epoch, ord, after, key, kind, request, ok, result, at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    insertEvent: insertEvents(1),
    insertEvents: insertEvents(EVENTS_AT_ONCE),
    insertPending: write("insert or replace into pending (run_id, id, interrupt_id, body) values (?, ?, ?, ?)"),
    run: rows<RunRow>("select * from runs where id = ? and tenant = ?"),
    ofThread: rows<Pick<RunRow, "id">>("select id from runs where tenant = ? and thread_id = ? limit 1"),
    takeOldest: rows<RunRow>(take("")),
    takeOne: rows<RunRow>(take("and waiting.id = ?")),
    countRunning: rows<{ running: number }>("select count(*) as running from runs where status = 'running'"),
    row: rows<RunRow>("select * from runs where position = ?"),
    requeue: write(`update runs set status = 'queued', crashes = crashes + 1, crashed_alone = crashed_alone + ? where status = 'running'`),
    /** Lists those first that were started last: of several, one of these is the likely cause. */
    crashedTwice: rows<Pick<RunRow, "id">>(`select id from runs where status = 'queued' and crashes >= 2
      order by (select at from events where run_id = runs.id and origin = 'life/run-started/' || runs.attempt) desc, position desc`),
    crashes: rows<Pick<RunRow, "crashes">>("select crashes from runs where id = ?"),
    history: rows<
      Pick<RunRow, "id" | "question" | "request" | "report" | "ended_at">
    >(`select id, question, request, report, ended_at from runs
      where tenant = ? and thread_id = ? and status = 'succeeded' and position < ? and (report is null or json_valid(report))
      order by position desc limit ?`),
    /** Reads results of the thread's earlier runs, newest first. An `intent` record precedes a tool call that changes something. */
    threadResults: rows<
      Pick<JournalRow, "run_id" | "kind" | "request" | "result" | "at"> & { readonly asked: string }
    >(`select run_id, kind, journal.request, result, at, asked from journal
      join (select id, status, request as asked from runs where tenant = ? and thread_id = ? and id <> ? order by position desc limit ?) earlier
        on earlier.id = run_id
      where ok = 1 and length(result) <= ? and json_valid(result) and (kind = 'intent' or (status in ('succeeded', 'failed', 'cancelled')
        and (kind = 'tool' or (kind = 'memo' and json_extract(journal.request, '$.of') = 'tool result'))))
      order by at desc, segment desc, epoch desc, ord desc limit ?`),
    setInput: write("update segments set input = ? where run_id = ? and position = 0 and epoch = 0"),
    records: rows<JournalRow>("select * from journal where run_id = ? and segment = ? order by epoch, ord"),
    callsBefore: rows<Pick<JournalRow, "segment" | "key" | "kind" | "request" | "ok" | "result">>(`select segment, key, kind,
      case kind when 'download' then request end as request, ok, result from journal
      where run_id = ? and segment < ? and kind in ('model', 'download') and (segment, epoch) in
        (select position, max(epoch) from segments where run_id = ? group by position) order by segment, ord`),
    tasksBegun: rows<{ segment: number; origin: string; step: number }>(`select position as segment, origin,
      json_extract(body, '$.step') as step from events join
        (select run_id, position, max(epoch) as epoch from segments where run_id = ? and position < ? group by position) using (run_id)
      where origin glob position || '.' || epoch || '/*' and json_extract(body, '$.type') = 'node-started' order by seq`),
    segmentEvents: rows<EventRow>("select * from events where run_id = ? and origin glob ? order by seq"),
    segment: rows<SegmentRow>("select * from segments where run_id = ? and position = ? and epoch = ?"),
    setSegment: rows<RunRow>("update runs set segment = ?, epoch = ? where id = ? returning *"),
    beginNext: rows<Pick<RunRow, "segment">>(
      "update runs set segment = segment + 1, epoch = 0, status = 'queued' where id = ? returning segment",
    ),
    advance: rows<
      Pick<RunRow, "head" | "segment" | "epoch">
    >(`update runs set head = head + @events, crashes = iif(@progress, 0, crashes), crashed_alone = iif(@progress, 0, crashed_alone)
      where id = @runId and attempt = @attempt and status = 'running' returning head, segment, epoch`),
    nextSeq: rows<Pick<RunRow, "head">>("update runs set head = head + 1 where id = ? returning head"),
    release: write(`update runs set status = 'queued', crashes = crashes + ?, crashed_alone = crashed_alone + ?
      where id = ? and attempt = ? and status = 'running'`),
    deleteReplies: write("delete from replies where run_id = ? and segment = ? and key = ?"),
    deleteAllReplies: write("delete from replies where run_id = ?"),
    origins: rows<Pick<EventRow, "origin" | "at">>("select origin, at from events where run_id = ? order by seq"),
    end: write(
      "update runs set status = ?, ended_at = max(?, created_at, coalesce(started_at, 0)), termination = ?, report = ?, error = ? where id = ?",
    ),
    setWaiting: rows<Pick<RunRow, "cancel_requested">>("update runs set status = 'waiting' where id = ? returning cancel_requested"),
    longWaiting: rows<Pick<RunRow, "id">>(`select id from runs where status = 'waiting'
      and (select at from events where run_id = runs.id order by seq desc limit 1) < ? limit 100`),
    ended: rows<Pick<RunRow, "tenant" | "id">>(`select tenant, id from runs where status in ('succeeded', 'failed', 'cancelled')
      and ended_at < ? order by ended_at, position limit ?`),
    requestCancel: write("update runs set cancel_requested = 1 where id = ?"),
    answerPending: write(`update pending set answer = ? where run_id = ? and id = ? and answer is null
      and exists (select 1 from runs where id = run_id and status = 'waiting')`),
    answers: rows<Pick<PendingRow, "id" | "answer">>(`select id, answer from pending where run_id = ?
      and id glob (select segment from runs where id = run_id) || '.*'`),
    interrupts: rows<Pick<PendingRow, "id" | "interrupt_id">>("select id, interrupt_id from pending where run_id = ?"),
    setTitle: write("insert or replace into titles (run_id, title) values (?, ?)"),
    deleteTitle: write("delete from titles where run_id = ?"),
    title: rows<{ title: string }>("select title from titles where run_id = ?"),
    deleteRun: [
      "delete from runs where id = ?",
      ...["segments", "journal", "events", "pending", "run_documents", "replies", "titles"].map(
        (table) => `delete from ${table} where run_id = ?`,
      ),
    ].map(write),
    /** Deletes the documents that only this run uses, and no thread has. Run it before `deleteRun`, which deletes the references. */
    deleteOwnDocuments: write(`delete from documents where content_hash in (select content_hash from run_documents where run_id = ?)
      and not exists (select 1 from run_documents other where other.content_hash = documents.content_hash and other.run_id <> ?)
      and not exists (select 1 from thread_documents given where given.content_hash = documents.content_hash)`),
    deleteOwnDetails: write(`delete from document_details where key in (select details from run_documents where run_id = ?)
      and not exists (select 1 from run_documents other where other.details = document_details.key and other.run_id <> ?)
      and not exists (select 1 from thread_documents given where given.details = document_details.key)`),
    head: rows<Pick<RunRow, "head" | "status">>("select head, status from runs where id = ? and tenant = ?"),
    /** Without `indexed by`, SQLite would scan all events of the run. */
    component: rows<
      Pick<EventRow, "body">
    >(`select body from events indexed by events_components where run_id = ? and json_extract(body, '$.component') = ?
      and substr(body, 1, 20) = '{"type":"component",' and json_extract(body, '$.partial') = 0 order by seq desc limit 1`),
    pending: rows<PendingRow>("select * from pending where run_id = ? and answer is null order by id"),
    events: rows<EventRow>("select * from events where run_id = ? and seq > ? order by seq limit ?"),
    segments: rows<SegmentRow>("select * from segments where run_id = ? order by position, epoch"),
    journal: rows<JournalRow>("select * from journal where run_id = ? and segment = ? and epoch = ? and ord >= ? order by ord limit ?"),
    documents: rows<{ content_hash: string }>("select content_hash from run_documents where run_id = ? order by content_hash"),
    countQueued: rows<{ queued: number }>("select count(*) as queued from runs where status = 'queued'"),
    counted: rows<Pick<JournalRow, "segment" | "epoch" | "ord" | "kind">>(`select segment, epoch, ord, kind from journal where run_id = ?
      and kind in ('model', 'tool', 'search', 'download') and not (kind = 'download' and ok = 0 and json_valid(request) and json_valid(result)
        and json_extract(request, '$.isNamed') is true and json_extract(result, '$.code') = 'forbidden_address') and (segment, epoch) in
        (select position, max(epoch) from segments where run_id = ? group by position) order by segment, epoch, ord`),
    receipt: rows<{ receipt: string | null }>(`select case when ok = 1 and json_valid(result) then json_extract(result, '$.model',
      '$.usage.inputTokens', '$.usage.outputTokens', '$.costUsd', '$.usage.estimated') end as receipt
      from journal where run_id = ? and segment = ? and epoch = ? and ord = ?`),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;
