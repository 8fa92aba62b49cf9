import { arrangeBySection } from "../domain/blocks.ts";
import { coverageOf } from "../domain/citations.ts";
import { loweredIn } from "../domain/depth.ts";
import type { RunEvent } from "../domain/events.ts";
import type { Limits } from "../domain/limits.ts";
import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";
import type { Claim, Report } from "../domain/report.ts";
import type { ResearchRequest } from "../domain/request.ts";
import type { Pending, Run, RunStatus, Usage } from "../domain/run.ts";
import { isChinese } from "../ranking/language.ts";
import { verdictOf } from "../words/verdict.ts";
import type { TitledRow } from "./run-list.ts";
import type { EventRow, JournalRow } from "./tables.ts";

interface AskedFor extends Pick<Partial<ResearchRequest>, "depth" | "language" | "metadata"> {
  readonly limits?: Partial<Limits>;
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Returns a run as clients see it. `error` names unreadable columns, so that one run does not fail a list. */
export function toRun(row: TitledRow, pending: readonly Pending[], usage: Usage): Run {
  const self = `/research/${row.id}`;
  const unreadable: string[] = [];
  const read = <T>(column: "request" | "termination" | "report" | "error" | "limits"): T | null => {
    const text = row[column];
    try {
      return text === null ? null : (JSON.parse(text) as T);
    } catch {
      unreadable.push(column);
      return null;
    }
  };
  const { metadata = {}, language = "auto", depth, limits: requested } = read<AskedFor>("request") ?? {};
  const termination = read<Run["termination"]>("termination");
  const report = currentReport(read<StoredReport>("report"));
  const spoken = isChinese({ language, question: row.question }) ? "zh" : "en";
  const error = read<NonNullable<Run["error"]>>("error");
  const limits = read<NonNullable<Run["limits"]>>("limits");
  const lowered = depth === undefined || limits === null ? [] : loweredIn(depth, limits, requested);
  return {
    id: row.id,
    threadId: row.thread_id,
    graph: row.graph,
    question: row.question,
    ...(row.title !== null && { title: row.title }),
    language,
    status: row.status as RunStatus,
    createdAt: new Date(row.created_at).toISOString(),
    startedAt: instant(row.started_at),
    endedAt: instant(row.ended_at),
    termination,
    pending: [...pending],
    usage,
    ...(limits !== null && { limits }),
    ...(lowered.length > 0 && { lowered }),
    report: report && { ...report, verdict: verdictOf(report, spoken) },
    todos: null,
    children: null,
    error: unreadable.length === 0 ? error : { code: "unreadable", message: describeUnreadable(unreadable, error) },
    metadata,
    links: { self, events: `${self}/events`, report: `${self}/report`, recording: `${self}/recording`, bundle: `${self}/bundle` },
  };
}

type Added = "closest" | "blocks" | "answers" | "missing" | "struck" | "summary";
type AddedToClaim = "support" | "reason" | "expression";
type StoredClaim = Omit<Claim, AddedToClaim> & Partial<Pick<Claim, AddedToClaim>>;
/** Dossier 0.3 stored reports without some of the fields, and what was not answered under another name. */
export type StoredReport = Omit<Report, Added | "claims" | "coverage"> &
  Partial<Pick<Report, Added>> & {
    readonly claims: readonly StoredClaim[];
    readonly coverage: Partial<Report["coverage"]>;
    readonly unanswered?: string[];
  };

export function currentReport(stored: StoredReport | null): Report | null {
  if (stored === null) return null;
  const claims = stored.claims.map(currentClaim);
  const { struck = [], coverage, unanswered, missing = unanswered ?? [], blocks = arrangeBySection(claims), ...rest } = stored;
  const counted = coverageOf(claims, struck.length > 0 ? struck.length : (coverage.struck ?? 0));
  return { closest: [], answers: null, summary: null, ...rest, blocks, missing, struck, claims, coverage: counted };
}

function currentClaim(claim: StoredClaim): Claim {
  const { support = claim.supported ? "quoted" : "unverified" } = claim;
  const reason = support === "unverified" ? (claim.citations.length > 0 ? "quote_not_found" : "no_citation") : null;
  return { reason, expression: null, ...claim, support };
}

function describeUnreadable(columns: readonly string[], error: Run["error"]): string {
  const what = `These stored parts of the run cannot be read: ${columns.join(", ")}.`;
  return error === null ? what : `${what} ${error.message}`;
}

export function toRunEvent({ seq, run_id: runId, at, path, body }: EventRow): RunEvent {
  return { seq, runId, at: new Date(at).toISOString(), path, ...JSON.parse(body) };
}

export function toLoggedEvent({ origin, at, path, body }: EventRow): LoggedEvent {
  return { origin, at, path, body };
}

export function toRecord(row: Omit<JournalRow, "run_id">): JournalRecord {
  const { ord, after, key, kind, at } = row;
  return { ord, after, key, kind, request: JSON.parse(row.request), ok: row.ok === 1, result: JSON.parse(row.result), at };
}
