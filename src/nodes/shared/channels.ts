import { Annotation } from "@langchain/langgraph";
import { addHits, type Hit } from "../../domain/hit.ts";
import type { LedgerEntry, Report } from "../../domain/report.ts";
import type { Termination } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { ConsentDecision, OfferedTool, ToolOutcome } from "../../domain/tool.ts";

export const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });

export const accumulated = <T>() => Annotation<T[], readonly T[]>({ reducer: (known, more) => [...known, ...more], default: () => [] });

export const counted = () => Annotation<number, number>({ reducer: (known, more) => known + more, default: () => 0 });

/** The channels of every graph. They hold ids and short texts; long texts are in the document store. */
export const runChannels = () => ({
  task: Annotation<Task>,
  /** Milliseconds since 1970. */
  startedAt: latest(0),
  ledger: accumulated<LedgerEntry>(),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

/** Contains a document twice if two sources or tools found it. */
export const hitChannel = () => Annotation<Hit[], readonly Hit[]>({ reducer: addHits, default: () => [] });

export const toolChannels = () => ({
  /** Null before the MCP servers were asked for their tools. */
  offered: latest<OfferedTool[] | null>(null),
  verdicts: latest<ConsentDecision[]>([]),
  outcomes: accumulated<ToolOutcome>(),
  hits: hitChannel(),
});
