import Database from "better-sqlite3";
import { MAX_TURNS, turnOfRun } from "../../domain/history.ts";
import type { EarlierSegment } from "../../domain/ports/journal.ts";
import type { ClaimedRun } from "../../domain/ports/run-store.ts";
import { pausesOf, runningMs, type SegmentInput } from "../../domain/recording.ts";
import { addSpent, NOTHING_SPENT } from "../../domain/spent.ts";
import { DossierError } from "../../errors.ts";
import { MAX_LENGTH, readThreadResults } from "./read-thread-results.ts";
import { currentReport, type StoredReport, toLoggedEvent, toRecord } from "./rows.ts";
import type { RunRow, Statements } from "./run-statements.ts";

/** A first attempt finds nothing of an earlier one. */
const NOTHING_LEFT = { records: [], cache: [], events: [], interrupts: {}, pauses: [], ranMs: 0, spent: NOTHING_SPENT, earlier: [] };

/** What stands for the parts of a run that cannot be read; it is never executed. */
const UNREADABLE = {
  ...NOTHING_LEFT,
  limits: { optionalToolLoops: 0, steps: 0, modelCalls: 0, tokens: 0, costUsd: null, seconds: 0, downloads: 0 },
} as const;

/**
 * A run whose row says that it has just been claimed, with what its new owner needs to execute it. One that cannot be read comes
 * with its `fault`, so that it stands in nobody's way.
 * @throws what the database says when it refuses
 */
export function takeOver(sql: Statements, row: RunRow, fingerprint: string): ClaimedRun {
  const { id: runId, attempt, crashes, tenant, graph, thread_id: threadId, cancel_requested } = row;
  const owned = { runId, attempt, crashes, tenant, threadId, graph, cancelRequested: cancel_requested === 1 };
  try {
    return { ...owned, ...readRun(sql, row, fingerprint), fault: null };
  } catch (error) {
    if (error instanceof Database.SqliteError) throw error;
    const segment = { index: row.segment, epoch: row.epoch, input: { type: "continue" }, fingerprint } as const;
    return { ...owned, ...UNREADABLE, segment, fault: unreadable(error) };
  }
}

function unreadable(error: unknown): DossierError {
  const why = error instanceof Error ? error.message : String(error);
  return new DossierError(
    "unreadable",
    `What is stored of this run cannot be read (${why}). It is kept as it is; ask the question again.`,
    {
      cause: error,
    },
  );
}

type Content = Omit<ClaimedRun, "runId" | "attempt" | "crashes" | "tenant" | "threadId" | "graph" | "cancelRequested" | "fault">;

function readRun(sql: Statements, row: RunRow, fingerprint: string): Content {
  const { id: runId, attempt, segment, epoch } = row;
  if (attempt === 1) fillHistory(sql, row);
  const stored = sql.segment.get(runId, segment, epoch);
  if (stored === undefined) throw new DossierError("internal", `there is no segment ${segment}.${epoch}`);
  const left = attempt === 1 && epoch === 0 ? NOTHING_LEFT : leftBehind(sql, row);
  const begun = left.records.length > 0 || left.events.length > 0;
  if (!begun) sql.setFingerprint.run(fingerprint, runId, segment, epoch);
  return {
    segment: { index: segment, epoch, input: JSON.parse(stored.input), fingerprint: begun ? stored.fingerprint : fingerprint },
    ...left,
    limits: JSON.parse(row.limits),
  };
}

/** Journal rows to read: more than the results that are kept, because equal calls count once. */
const MAX_RESULTS_READ = 60;

/** A run sees the thread as it is when it starts, not as it was when it was queued. */
function fillHistory(sql: Statements, { id: runId, tenant, thread_id: threadId, position }: RunRow): void {
  // A thread that has its name from this run has no earlier ones.
  const isFirst = threadId === runId;
  const turns = isFirst ? [] : sql.history.all(tenant, threadId, position, MAX_TURNS);
  const found = isFirst ? [] : sql.threadResults.all(tenant, threadId, runId, MAX_TURNS, MAX_LENGTH, MAX_RESULTS_READ);
  const row = turns.length === 0 && found.length === 0 ? undefined : sql.segment.get(runId, 0, 0);
  if (row === undefined) return;
  const input = JSON.parse(row.input) as Extract<SegmentInput, { type: "start" }>;
  const ofThread = turns
    .reverse()
    .map(({ question, report }) => turnOfRun({ question, report: currentReport(parsed<StoredReport>(report)) }));
  // What came with the request was said later than what the thread has.
  input.task.history = [...ofThread, ...input.task.history];
  const results = readThreadResults(found, input.task.metadata);
  if (results.length > 0) input.task.threadResults = results;
  sql.setInput.run(JSON.stringify(input), runId);
}

/** What earlier attempts at the segment recorded and said, and the questions of the segments before. */
function leftBehind(sql: Statements, row: RunRow): Pick<ClaimedRun, keyof typeof NOTHING_LEFT> {
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
    // Added up as the journal and a replay do it: sums of money depend on their order.
    spent: calls.reduce(addSpent, NOTHING_SPENT),
    earlier: earlierSegments(sql, row, calls),
    ranMs: runningMs(pauses, row.started_at ?? 0, log.at(-1)?.at ?? 0),
  };
}

type EarlierCall = EarlierSegment["calls"][number] & { readonly segment: number };

function callsBefore(sql: Statements, { id: runId, segment }: RunRow): EarlierCall[] {
  const calls = segment === 0 ? [] : sql.modelCalls.all(runId, segment, runId);
  return calls.map(({ ok, result, ...call }) => ({ ...call, ok: ok === 1, result: JSON.parse(result) }));
}

function earlierSegments(sql: Statements, { id: runId, segment }: RunRow, calls: readonly EarlierCall[]): EarlierSegment[] {
  const begun = segment === 0 ? [] : sql.tasksBegun.all(runId, segment);
  return Array.from({ length: segment }, (_, index) => ({
    begun: begun.filter((task) => task.segment === index),
    calls: calls.filter((call) => call.segment === index),
  }));
}

function parsed<T>(stored: string | null): T | null {
  return stored === null ? null : JSON.parse(stored);
}
