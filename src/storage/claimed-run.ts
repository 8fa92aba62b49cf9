import Database from "better-sqlite3";
import { z } from "zod";
import { addSpent, NOTHING_SPENT } from "../domain/budget.ts";
import { MAX_TURNS, runToTurn } from "../domain/history.ts";
import { HitSchema } from "../domain/hit.ts";
import { canonicalJson } from "../domain/json.ts";
import type { EarlierSegment } from "../domain/ports/journal.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import { pausesOf, runningMs, type SegmentInput } from "../domain/recording.ts";
import type { Task } from "../domain/request.ts";
import { type ThreadResult, ToolResultSchema } from "../domain/tool.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { currentReport, type StoredReport, toLoggedEvent, toRecord } from "./rows.ts";
import { latestComponent } from "./run-reader.ts";
import type { Statements } from "./run-statements.ts";
import type { RunRow } from "./schema.ts";
import { answersOf } from "./thread-answers.ts";
import { readingsOf } from "./thread-readings.ts";

const NO_EARLIER_ATTEMPTS = { records: [], cache: [], events: [], interrupts: {}, pauses: [], ranMs: 0, spent: NOTHING_SPENT, earlier: [] };

const UNREADABLE = {
  ...NO_EARLIER_ATTEMPTS,
  limits: { optionalToolLoops: 0, steps: 0, modelCalls: 0, tokens: 0, costUsd: null, seconds: 0, downloads: 0 },
} as const;

/** Loads a run that was just claimed. An unreadable run gets a `fault`, so that it does not block the queue. */
export function loadClaimedRun(sql: Statements, row: RunRow, fingerprint: string): ClaimedRun {
  try {
    return { ...ownerOf(row), ...readRun(sql, row, fingerprint), fault: null };
  } catch (error) {
    if (error instanceof Database.SqliteError || toDossierError(error).code.startsWith("storage_")) throw error;
    const segment = { index: row.segment, epoch: row.epoch, input: { type: "continue" }, fingerprint } as const;
    return { ...ownerOf(row), ...UNREADABLE, segment, fault: unreadable(error) };
  }
}

function ownerOf({ id: runId, attempt, tenant, graph, thread_id: threadId, ...row }: RunRow) {
  return { runId, attempt, tenant, threadId, graph, crashesAlone: row.crashed_alone, cancelRequested: row.cancel_requested === 1 };
}

function unreadable(error: unknown): DossierError {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The stored run cannot be read (${why}). It is kept unchanged. Start a new run with the question.`;
  return new DossierError("unreadable", message, { cause: error });
}

type Content = Pick<ClaimedRun, keyof typeof UNREADABLE | "segment">;

function readRun(sql: Statements, row: RunRow, fingerprint: string): Content {
  const { id: runId, attempt, segment, epoch } = row;
  if (attempt === 1) addThreadHistory(sql, row);
  const stored = sql.segment.get(runId, segment, epoch);
  if (stored === undefined) throw new DossierError("internal", `The database lacks segment ${segment}, epoch ${epoch}.`);
  const earlier = attempt === 1 && epoch === 0 ? NO_EARLIER_ATTEMPTS : loadEarlierAttempts(sql, row);
  const begun = earlier.records.length > 0 || earlier.events.length > 0;
  if (!begun) sql.setFingerprint.run(fingerprint, runId, segment, epoch);
  return {
    segment: { index: segment, epoch, input: JSON.parse(stored.input), fingerprint: begun ? stored.fingerprint : fingerprint },
    ...earlier,
    limits: JSON.parse(row.limits),
  };
}

const MAX_RESULTS_READ = 60;

/** Adds the history of the conversation thread when the run starts, because earlier runs may end while this run is queued. */
function addThreadHistory(sql: Statements, { id: runId, tenant, thread_id: threadId, position, request }: RunRow): void {
  // A new thread has the id of its first run.
  const isFirst = threadId === runId;
  const turns = isFirst ? [] : sql.history.all(tenant, threadId, position, MAX_TURNS);
  const found = isFirst ? [] : sql.threadResults.all(tenant, threadId, runId, MAX_TURNS, MAX_LENGTH, MAX_RESULTS_READ);
  const row = turns.length === 0 && found.length === 0 ? undefined : sql.segment.get(runId, 0, 0);
  if (row === undefined) return;
  const input = JSON.parse(row.input) as Extract<SegmentInput, { type: "start" }>;
  const earlier = turns.map(({ report, ...run }) => {
    return { ...run, report: currentReport(report === null ? null : (JSON.parse(report) as StoredReport)) };
  });
  const ofThread = earlier.toReversed().map(runToTurn);
  const readings = readingsOf(earlier);
  if (readings.length > 0) input.task.threadReadings = readings;
  const plans = input.task.models !== null && input.task.parallelTodos !== undefined;
  const answers = plans ? answersOf(earlier, request, (id) => latestComponent(sql, id, "todo-list")?.todos ?? []) : [];
  if (answers.length > 0) input.task.threadAnswers = answers;
  input.task.history = [...ofThread, ...input.task.history];
  const results = readThreadResults(found, input.task.metadata);
  if (results.length > 0) input.task.threadResults = [...(input.task.threadResults ?? []), ...results];
  sql.setInput.run(JSON.stringify(input), runId);
}

function loadEarlierAttempts(sql: Statements, row: RunRow): Pick<ClaimedRun, keyof typeof NO_EARLIER_ATTEMPTS> {
  const { id: runId, segment, epoch } = row;
  const rows = sql.records.all(runId, segment);
  const log = sql.origins.all(runId);
  const pauses = pausesOf(log);
  const calls = callsBefore(sql, row);
  return {
    records: rows.filter((record) => record.epoch === epoch).map(toRecord),
    cache: Array.from({ length: epoch }, (_, earlier) => rows.filter((record) => record.epoch === earlier).map(toRecord)),
    events: sql.segmentEvents.all(runId, `${segment}.${epoch}/*`).map(toLoggedEvent),
    interrupts: Object.fromEntries(sql.interrupts.all(runId).map((question) => [question.id, question.interrupt_id])),
    pauses,
    // Floating-point sums depend on the order, so the calls are added as in a replay.
    spent: calls.reduce(addSpent, NOTHING_SPENT),
    earlier: earlierSegments(sql, row, calls),
    ranMs: runningMs(pauses, row.started_at ?? 0, log.at(-1)?.at ?? 0),
  };
}

type EarlierCall = EarlierSegment["calls"][number] & { readonly segment: number };

function callsBefore(sql: Statements, { id: runId, segment }: RunRow): EarlierCall[] {
  const calls = segment === 0 ? [] : sql.callsBefore.all(runId, segment, runId);
  return calls.map(({ request, ok, result, ...call }) => ({
    ...{ ...call, ok: ok === 1 },
    ...{ request: request === null ? null : JSON.parse(request), result: JSON.parse(result) },
  }));
}

function earlierSegments(sql: Statements, { id: runId, segment }: RunRow, calls: readonly EarlierCall[]): EarlierSegment[] {
  const begun = segment === 0 ? [] : sql.tasksBegun.all(runId, segment);
  return Array.from({ length: segment }, (_, index) => ({
    begun: begun.filter((task) => task.segment === index),
    calls: calls.filter((call) => call.segment === index),
  }));
}

const MAX_RESULTS = 20;
/** The maximum total length of the tool results from earlier runs, in UTF-16 code units. */
const MAX_LENGTH = 100_000;

const RequestSchema = z.object({ tool: z.string(), arguments: z.json(), scope: z.string().optional() });
const FindingsSchema = ToolResultSchema.pick({ text: true, content: true, incomplete: true }).extend({ hits: z.array(HitSchema) });
const AskedSchema = z.object({ metadata: z.record(z.string(), z.json()).default({}) });

function readThreadResults(rows: ReturnType<Statements["threadResults"]["all"]>, metadata: Task["metadata"]): ThreadResult[] {
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
