import { Annotation } from "@langchain/langgraph";
import { addHits, type Hit } from "../../domain/hit.ts";
import type { LedgerEntry, Report } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import type { ConsentDecision, OfferedTool, ToolOutcome } from "../../domain/tool.ts";

export const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });

export const accumulated = <T>() => Annotation<T[], readonly T[]>({ reducer: (known, more) => [...known, ...more], default: () => [] });

export const counted = () => Annotation<number, number>({ reducer: (known, more) => known + more, default: () => 0 });

/** Returns the channels that every graph has. They hold ids, scores and short texts. The document store has long texts, by hash. */
export const runChannels = () => ({
  task: Annotation<Task>,
  /** Milliseconds since 1970 on the run's clock. */
  startedAt: latest(0),
  ledger: accumulated<LedgerEntry>(),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

/** Holds the hits of all sources and tools. A document that two of them found is there twice. */
export const hitChannel = () => Annotation<Hit[], readonly Hit[]>({ reducer: addHits, default: () => [] });

export const toolChannels = () => ({
  /** The tools that MCP servers offer to this run; null before the servers were asked. */
  offered: latest<OfferedTool[] | null>(null),
  /** The user's decisions about calls that need consent and are not made yet. */
  verdicts: latest<ConsentDecision[]>([]),
  outcomes: accumulated<ToolOutcome>(),
  hits: hitChannel(),
});
