import { Annotation } from "@langchain/langgraph";
import { addHits, type Hit } from "../../domain/hit.ts";
import type { LedgerEntry, Report } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import type { OfferedTool, ToolOutcome, Verdict } from "../../domain/tool.ts";

export const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });

export const accumulated = <T>() => Annotation<T[], readonly T[]>({ reducer: (known, more) => [...known, ...more], default: () => [] });

export const counted = () => Annotation<number, number>({ reducer: (known, more) => known + more, default: () => 0 });

/** The channels of every graph. State holds ids, scores and short texts; long texts are in the document store under their hash. */
export const runChannels = () => ({
  task: Annotation<Task>,
  /** Milliseconds since 1970 on the run's clock. */
  startedAt: latest(0),
  ledger: accumulated<LedgerEntry>(),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

/** The hits of each finder: a source that several finders found is here once for each finder. */
export const hitChannel = () => Annotation<Hit[], readonly Hit[]>({ reducer: addHits, default: () => [] });

export const toolChannels = () => ({
  /** The tools that servers offer to this run; null before they were asked. */
  offered: latest<OfferedTool[] | null>(null),
  /** The user's answers about calls that need consent and are still to be made. */
  verdicts: latest<Verdict[]>([]),
  outcomes: accumulated<ToolOutcome>(),
  hits: hitChannel(),
});
