import type { ClaimedRun } from "../../domain/ports/run-store.ts";
import { pausesOf, runningMs, type SegmentInput } from "../../domain/recording.ts";
import type { Report } from "../../domain/report.ts";
import { DossierError } from "../../errors.ts";
import { toLoggedEvent, toRecord } from "./rows.ts";
import type { RunRow, Statements } from "./run-statements.ts";

/** How many earlier turns of its thread a run is shown. */
const MAX_HISTORY = 10;
/** The most of an earlier report that a later question of its thread is shown, in UTF-16 code units. */
const MAX_ANSWER_LENGTH = 4_000;

/** A first attempt finds nothing of an earlier one. */
const NOTHING_LEFT = { records: [], cache: [], events: [], interrupts: {}, pauses: [], ranMs: 0 };

/** A run sees the thread as it is when it starts, not as it was when it was queued. */
export function fillHistory(sql: Statements, { id: runId, tenant, thread_id: threadId, position }: RunRow): void {
  // A thread that has its name from this run has no earlier ones.
  const turns = threadId === runId ? [] : sql.history.all(tenant, threadId, position, MAX_HISTORY);
  const row = turns.length === 0 ? undefined : sql.segment.get(runId, 0, 0);
  if (row === undefined) return;
  const input = JSON.parse(row.input) as Extract<SegmentInput, { type: "start" }>;
  input.task.history = turns.reverse().map(({ question, report }) => ({ question, answer: answerOf(report) }));
  sql.setInput.run(JSON.stringify(input), runId);
}

/** A run whose row says that it has just been claimed, with what its new owner needs to execute it. */
export function toClaimed(sql: Statements, row: RunRow): ClaimedRun {
  const { id: runId, attempt, segment, epoch } = row;
  const begun = sql.segment.get(runId, segment, epoch);
  if (begun === undefined) throw new DossierError("internal", `Run ${runId} has no segment ${segment}.${epoch}.`);
  return {
    runId,
    attempt,
    tenant: row.tenant,
    threadId: row.thread_id,
    graph: row.graph,
    segment: { index: segment, epoch, input: JSON.parse(begun.input), fingerprint: begun.fingerprint },
    ...(attempt === 1 && epoch === 0 ? NOTHING_LEFT : leftBehind(sql, row)),
    cancelRequested: row.cancel_requested === 1,
    limits: JSON.parse(row.limits),
  };
}

/** What earlier attempts at the segment recorded and said, and the questions of the segments before. */
function leftBehind(sql: Statements, row: RunRow): Pick<ClaimedRun, keyof typeof NOTHING_LEFT> {
  const { id: runId, segment, epoch } = row;
  const rows = sql.records.all(runId, segment);
  const log = sql.origins.all(runId);
  const pauses = pausesOf(log);
  return {
    records: rows.filter((record) => record.epoch === epoch).map(toRecord),
    cache: Array.from({ length: epoch }, (_, earlier) => rows.filter((record) => record.epoch === earlier).map(toRecord)),
    events: sql.segmentEvents.all(runId, `${segment}.${epoch}/*`).map(toLoggedEvent),
    interrupts: Object.fromEntries(sql.interrupts.all(runId).map((question) => [question.id, question.interrupt_id])),
    pauses,
    ranMs: runningMs(pauses, row.started_at ?? 0, log.at(-1)?.at ?? 0),
  };
}

function answerOf(report: string | null): string {
  return report === null ? "" : (JSON.parse(report) as Report).markdown.slice(0, MAX_ANSWER_LENGTH);
}
