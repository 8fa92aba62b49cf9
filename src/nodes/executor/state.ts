import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { LoopEnding } from "../../domain/events.ts";
import { addFound, type Hit, type RankedHit } from "../../domain/hit.ts";
import type { FailureCode, LedgerEntry, Report } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import type { OfferedTool, ToolCall, ToolOutcome, Verdict } from "../../domain/tool.ts";

/** A ranked hit that was looked into: its text is in the document store, or there is none. */
export interface ReadHit {
  readonly hit: RankedHit;
  readonly status: "read" | "snippet" | "failed";
  readonly contentHash: string | null;
  readonly failure: FailureCode | null;
}

/** A document that the run has read before: its text is in the document store. */
export interface KnownReading {
  readonly sourceId: string;
  readonly contentHash: string;
}

const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });
const accumulated = <T>() => Annotation<T[], T[]>({ reducer: (known, found) => [...known, ...found], default: () => [] });

/** Ids, scores and short texts; whatever is long lies in the document store under its hash. */
export const ExecutorState = Annotation.Root({
  task: Annotation<Task>,
  /** Milliseconds since 1970, on the run's own clock. */
  startedAt: latest(0),
  /** Rounds of optional tools so far. */
  round: latest(0),
  /** What the last decision asked for. */
  calls: latest<ToolCall[]>([]),
  /** What the servers in scope offer; null before they were asked. */
  offered: latest<OfferedTool[] | null>(null),
  /** What the user said to calls that had to be agreed to and have not been dealt with. */
  verdicts: latest<Verdict[]>([]),
  outcomes: accumulated<ToolOutcome>(),
  /** As each finder found them; one address may stand here more than once. */
  hits: Annotation<Hit[], Hit[]>({ reducer: addFound, default: () => [] }),
  loopEnding: latest<LoopEnding | null>(null),
  /** The budget that cut the gathering short, where one did. */
  spent: latest<SpentBudget | null>(null),
  ranked: latest<RankedHit[]>([]),
  read: latest<ReadHit[]>([]),
  /** What other parts of the run have read, which is not fetched again. */
  known: latest<readonly KnownReading[]>([]),
  ledger: accumulated<LedgerEntry>(),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

export type ExecutorStateValue = typeof ExecutorState.State;
export type ExecutorUpdate = Partial<typeof ExecutorState.Update>;
