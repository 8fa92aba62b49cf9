import { sql } from "kysely";
import { z } from "zod";
import { addSpent, NOTHING_SPENT } from "../domain/budget.ts";
import { refusalOfDomain } from "../domain/domains.ts";
import { MAX_TURNS, runToTurn } from "../domain/history.ts";
import { HitSchema } from "../domain/hit.ts";
import { canonicalJson } from "../domain/json.ts";
import type { EarlierSegment } from "../domain/ports/journal.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import { pausesOf, runningMs, type SegmentInput } from "../domain/recording.ts";
import type { Report } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { type ThreadResult, ToolResultSchema } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import { countOf, fieldsOf, parseJson } from "../util/json-fields.ts";
import { allRows, change, firstRow, type Transaction } from "./database.ts";
import { currentReport, toLoggedEvent, toRecord } from "./rows.ts";
import { latestComponent, segmentsOf } from "./run-reader.ts";
import { latestEpochs } from "./run-tables.ts";
import type { EventRow, JournalRow, PendingRow, RunRow, SegmentRow } from "./tables.ts";
import { answersOf } from "./thread-answers.ts";
import { readingsOf } from "./thread-readings.ts";

const NO_EARLIER_ATTEMPTS = { records: [], cache: [], events: [], interrupts: {}, pauses: [], ranMs: 0, spent: NOTHING_SPENT, earlier: [] };

const UNREADABLE = {
  ...NO_EARLIER_ATTEMPTS,
  limits: { optionalToolLoops: 0, steps: 0, modelCalls: 0, tokens: 0, costUsd: null, seconds: 0, downloads: 0 },
} as const;

/** Loads a run that was just claimed. An unreadable run gets a `fault`, so that it does not block the queue. */
export async function loadClaimedRun(tx: Transaction, row: RunRow, fingerprint: string): Promise<ClaimedRun> {
  try {
    return { ...ownerOf(row), ...(await readRun(tx, row, fingerprint)), fault: null };
  } catch (error) {
    // What a database refuses is no fault of the run.
    if (!(error instanceof SyntaxError || error instanceof TypeError || (error instanceof DossierError && error.code === "internal")))
      throw error;
    const segment = { index: row.segment, epoch: row.epoch, input: { type: "continue" }, fingerprint } as const;
    return { ...ownerOf(row), ...UNREADABLE, segment, fault: unreadable(error) };
  }
}

function ownerOf(row: RunRow) {
  const { id: runId, attempt, crashes, crashed_alone: crashesAlone, tenant, graph, thread_id: threadId, cancel_requested } = row;
  return {
    runId,
    attempt,
    crashes,
    crashesAlone,
    tenant,
    threadId,
    graph,
    cancelRequested: cancel_requested === 1,
    traceparent: row.traceparent,
    startedAt: row.started_at ?? row.created_at,
  };
}

function unreadable(error: unknown): DossierError {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The stored run cannot be read (${why}). It is kept unchanged. Start a new run with the question.`;
  return new DossierError("unreadable", message, { cause: error });
}

type Content = Pick<ClaimedRun, keyof typeof UNREADABLE | "segment">;

async function readRun(tx: Transaction, row: RunRow, fingerprint: string): Promise<Content> {
  const { id: runId, attempt, segment, epoch } = row;
  if (attempt === 1 && row.forked_from === null) await addThreadHistory(tx, row);
  const isNew = attempt === 1 && epoch === 0 && row.forked_from === null;
  const earlier = isNew ? NO_EARLIER_ATTEMPTS : await loadEarlierAttempts(tx, row);
  const begun = earlier.records.length > 0 || earlier.events.length > 0;
  const stored = await (begun ? segmentOf(tx, runId, segment, epoch) : signSegment(tx, row, fingerprint));
  if (stored === undefined) throw new DossierError("internal", `The database lacks segment ${segment}, epoch ${epoch}.`);
  return {
    segment: { index: segment, epoch, input: JSON.parse(stored.input), fingerprint: stored.fingerprint },
    ...earlier,
    limits: JSON.parse(row.limits),
  };
}

/** Notes which code executes the segment. */
function signSegment(tx: Transaction, { id, segment, epoch }: RunRow, fingerprint: string): Promise<SegmentRow | undefined> {
  const where = sql`run_id = ${id} and position = ${segment} and epoch = ${epoch}`;
  return firstRow(tx, sql<SegmentRow>`update segments set fingerprint = ${fingerprint} where ${where} returning *`);
}

export function segmentOf(tx: Transaction, runId: string, position: number, epoch: number): Promise<SegmentRow | undefined> {
  return firstRow(tx, sql<SegmentRow>`select * from segments where run_id = ${runId} and position = ${position} and epoch = ${epoch}`);
}

const MAX_RESULTS_READ = 60;
type EarlierRun = Pick<RunRow, "id" | "question" | "request" | "report" | "ended_at">;
type ResultRow = Pick<JournalRow, "run_id" | "kind" | "request" | "result" | "at"> & { readonly asked: string };

/** Adds the history of the conversation thread when the run starts, because earlier runs may end while this run is queued. */
async function addThreadHistory(tx: Transaction, { id: runId, tenant, thread_id: threadId, position, request }: RunRow): Promise<void> {
  // A new thread has the id of its first run.
  if (threadId === runId) return;
  const turns = await allRows(
    tx,
    sql<EarlierRun>`select id, question, request, report, ended_at from runs
      where tenant = ${tenant} and thread_id = ${threadId} and status = 'succeeded' and position < ${position}
      order by position desc limit ${MAX_TURNS}`,
  );
  const found = await allRows(
    tx,
    sql<ResultRow>`select run_id, kind, journal.request, result, at, asked from journal
      join (select id, status, request as asked from runs where tenant = ${tenant} and thread_id = ${threadId} and id <> ${runId}
        order by position desc limit ${MAX_TURNS}) earlier on earlier.id = run_id
      where reusable = 1 and length(result) <= ${MAX_LENGTH} and (kind = 'intent' or status in ('succeeded', 'failed', 'cancelled'))
      order by at desc, segment desc, epoch desc, ord desc limit ${MAX_RESULTS_READ}`,
  );
  const row = turns.length === 0 && found.length === 0 ? undefined : await segmentOf(tx, runId, 0, 0);
  if (row === undefined) return;
  const input = JSON.parse(row.input) as Extract<SegmentInput, { type: "start" }>;
  const isAllowed = ({ url }: { readonly url: string }): boolean => refusalOfDomain(input.task.domains ?? [], url) === null;
  const earlier = turns.flatMap(({ report, ...run }) => {
    const stored = parseJson(report ?? "null") as Report | null | undefined;
    return stored === undefined ? [] : [{ ...run, report: currentReport(stored) }];
  });
  const ofThread = earlier.toReversed().map(runToTurn);
  const readings = readingsOf(earlier).filter(({ hit }) => isAllowed(hit));
  if (readings.length > 0) input.task.threadReadings = readings;
  if (input.task.models !== null && input.task.parallelTodos !== undefined) {
    const todos = new Map<string, Awaited<ReturnType<typeof todosOf>>>();
    for (const { id } of earlier) todos.set(id, await todosOf(tx, id));
    const answers = answersOf(earlier, request, (id) => todos.get(id) ?? []).filter(({ hits }) => hits.every(isAllowed));
    if (answers.length > 0) input.task.threadAnswers = answers;
  }
  input.task.history = [...ofThread, ...input.task.history];
  const results = readThreadResults(found, input.task.metadata);
  if (results.length > 0) input.task.threadResults = [...(input.task.threadResults ?? []), ...results];
  await change(tx, sql`update segments set input = ${JSON.stringify(input)} where run_id = ${runId} and position = 0 and epoch = 0`);
}

async function todosOf(tx: Transaction, runId: string) {
  return (await latestComponent(tx, runId, "todo-list"))?.todos ?? [];
}

async function loadEarlierAttempts(tx: Transaction, row: RunRow): Promise<Pick<ClaimedRun, keyof typeof NO_EARLIER_ATTEMPTS>> {
  const { id: runId, segment, epoch } = row;
  const rows = await allRows(
    tx,
    sql<JournalRow>`select * from journal where run_id = ${runId} and segment = ${segment} order by epoch, ord`,
  );
  const log = await allRows(tx, sql<Pick<EventRow, "origin" | "at">>`select origin, at from events where run_id = ${runId} order by seq`);
  const events = await allRows(
    tx,
    sql<EventRow>`select * from events where run_id = ${runId} and origin like ${`${segment}.${epoch}/%`} order by seq`,
  );
  const interrupts = await allRows(
    tx,
    sql<Pick<PendingRow, "id" | "interrupt_id">>`select id, interrupt_id from pending where run_id = ${runId}`,
  );
  const pauses = pausesOf(log);
  const calls = segment === 0 ? [] : await callsBefore(tx, row);
  return {
    records: rows.filter((record) => record.epoch === epoch).map(toRecord),
    cache: Array.from({ length: epoch }, (_, earlier) => rows.filter((record) => record.epoch === earlier).map(toRecord)),
    events: events.map(toLoggedEvent),
    interrupts: Object.fromEntries(interrupts.map((question) => [question.id, question.interrupt_id])),
    pauses,
    // Floating-point sums depend on the order, so the calls are added as in a replay.
    spent: calls.reduce(addSpent, NOTHING_SPENT),
    earlier: segment === 0 ? [] : await earlierSegments(tx, row, calls),
    ranMs: runningMs(pauses, row.started_at ?? 0, log.at(-1)?.at ?? 0),
  };
}

type EarlierCall = EarlierSegment["calls"][number] & { readonly segment: number };
type CallRow = Pick<JournalRow, "segment" | "key" | "kind" | "ok" | "result"> & { readonly request: string | null };

async function callsBefore(tx: Transaction, { id: runId, segment }: RunRow): Promise<EarlierCall[]> {
  const calls = await allRows(
    tx,
    sql<CallRow>`select segment, key, kind, case kind when 'download' then request end as request, ok, result from journal
      where run_id = ${runId} and segment < ${segment} and kind in ('model', 'download') and (segment, epoch) in ${latestEpochs(runId)}
      order by segment, ord`,
  );
  return calls.map(({ request, ok, result, ...call }) => ({
    ...{ ...call, ok: ok === 1 },
    ...{ request: request === null ? null : JSON.parse(request), result: JSON.parse(result) },
  }));
}

async function earlierSegments(tx: Transaction, { id: runId, segment }: RunRow, calls: readonly EarlierCall[]): Promise<EarlierSegment[]> {
  const started = await allRows(
    tx,
    sql<Pick<EventRow, "origin" | "body">>`select origin, body from events where run_id = ${runId} and type = 'node-started' order by seq`,
  );
  // Of each segment the last row is that of its latest epoch.
  const epochs = new Map((await segmentsOf(tx, runId)).map(({ position, epoch }) => [position, epoch]));
  return Array.from({ length: segment }, (_, index) => ({
    begun: started
      .filter(({ origin }) => origin.startsWith(`${index}.${epochs.get(index)}/`))
      .map(({ origin, body }) => ({ origin, step: countOf(fieldsOf(parseJson(body))["step"]) ?? 0 })),
    calls: calls.filter((call) => call.segment === index),
  }));
}

const MAX_RESULTS = 20;
/** The maximum total length of the tool results from earlier runs, in UTF-16 code units. */
const MAX_LENGTH = 100_000;

const RequestSchema = z.object({ tool: z.string(), arguments: z.json(), scope: z.string().optional() });
const FindingsSchema = ToolResultSchema.pick({ text: true, content: true, incomplete: true }).extend({ hits: z.array(HitSchema) });
const AskedSchema = z.object({ metadata: z.record(z.string(), z.json()).default({}) });

function readThreadResults(rows: readonly ResultRow[], metadata: Task["metadata"]): ThreadResult[] {
  const own = canonicalJson(metadata);
  const known = new Set<string>();
  const results: ThreadResult[] = [];
  let length = 0;
  let isChanged = false;
  for (const { run_id: run, kind, request, result, at, asked } of rows) {
    isChanged ||= kind === "intent";
    if (kind === "intent") continue;
    const call = RequestSchema.safeParse(JSON.parse(request)).data;
    const findings = FindingsSchema.safeParse(JSON.parse(result)).data;
    if (call === undefined || findings === undefined || findings.incomplete !== undefined) continue;
    const key = canonicalJson({ name: call.tool, arguments: call.arguments });
    if (known.has(key)) continue;
    known.add(key);
    if (length + result.length > MAX_LENGTH) continue;
    length += result.length;
    const isOther = canonicalJson(AskedSchema.safeParse(JSON.parse(asked)).data?.metadata ?? {}) !== own;
    const { tool: name, arguments: args, scope } = call;
    const { text, hits, content } = findings;
    const more = { ...(content !== undefined && { content }), ...(scope !== undefined && { scope }) };
    results.push({ run, name, arguments: args, text, hits, ...more, ...((isChanged || isOther) && { outdated: true as const }), at });
    if (results.length === MAX_RESULTS) break;
  }
  return results;
}
