import type { Spent } from "../../../src/domain/budget.ts";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { Source } from "../../../src/domain/report.ts";
import type { Pending, RunStatus, Termination } from "../../../src/domain/run.ts";
import type { Part } from "./part.ts";
import { noRows, type Rows } from "./rows.ts";
import { noEntries, type Table } from "./table.ts";

/** Above these a view counts on, but keeps no more. */
export const MAX_STEPS = 2_000;
export const MAX_PARTS = 400;
export const MAX_SOURCES = 2_000;
/** In UTF-16 code units; the end of a longer text is kept. */
export const MAX_TEXT = 20_000;

/** What a run looks like after its events up to `seq`. Plain data that is never changed, so any moment of a run can be kept and shown. */
export interface RunView {
  readonly seq: number;
  readonly status: RunStatus;
  readonly attempt: number;
  /** ISO 8601 times of the first start, the latest event and the end. */
  readonly startedAt: string | null;
  readonly lastAt: string | null;
  /** The running time in milliseconds, without waits for the user or the server, up to `runningSince`. */
  readonly ranMs: number;
  /** Since when it runs; null while it does not. */
  readonly runningSince: string | null;
  readonly endedAt: string | null;
  readonly termination: Termination | null;
  readonly pending: readonly Pending[];
  readonly steps: Rows<Step>;
  /** The number of steps that are not kept. */
  readonly droppedSteps: number;
  readonly sources: Rows<FoundSource>;
  readonly sourceIndex: Table<number>;
  readonly droppedSources: number;
  /** The latest state of components that the run itself keeps up to date. */
  readonly todos: JsonValue | null;
  readonly children: JsonValue | null;
  readonly spent: Spent;
  readonly downloads: number;
  readonly graph: GraphTrace;
  /** Where what is open can be found, by its key. Small: at most what runs at once. */
  readonly open: Table<Place>;
  /** The open steps of a path, the latest last. */
  readonly openSteps: Table<readonly number[]>;
  /** The view at the begin of the segment, to which `run-restarted` returns. */
  readonly segmentStart: RunView | null;
}

/** How often each node of the outermost graph ran, for how long, and which edges were taken. */
export interface GraphTrace {
  readonly nodes: Table<NodeTrace>;
  /** How often an edge was taken, by `source>target`. */
  readonly edges: Table<number>;
  /** The nodes of the latest step, and those of the step before it. */
  readonly front: { readonly step: number; readonly nodes: readonly string[]; readonly before: readonly string[] };
}

/** LangGraph's name of the place where a graph begins. */
export const GRAPH_START = "__start__";

export interface NodeTrace {
  readonly node: string;
  readonly runs: number;
  readonly running: number;
  readonly ms: number;
}

export interface Place {
  readonly step: number;
  readonly part: number | null;
}

export type Step = NodeStep | MilestoneStep;

interface StepBase {
  /** The `seq` of its first event, which is also its address in the page. */
  readonly id: number;
  readonly at: string;
  readonly path: string;
}

export interface NodeStep extends StepBase {
  readonly kind: "node";
  readonly node: string;
  readonly step: number;
  /** The attempt of the run that started it last. */
  readonly attempt: number;
  readonly state: "running" | "ended" | "interrupted";
  readonly durationMs: number | null;
  readonly parts: Rows<Part>;
  readonly droppedParts: number;
  readonly counts: StepCounts;
}

export interface StepCounts {
  readonly found: number;
  readonly read: number;
  readonly failed: number;
  readonly tools: number;
  readonly calls: number;
}

/** Something that happened to the run as a whole. */
export interface MilestoneStep extends StepBase {
  readonly kind: "milestone";
  readonly what: "queued" | "started" | "continued" | "restarted" | "waiting" | "resumed" | "ended";
  readonly detail: string | null;
}

export interface FoundSource {
  readonly source: Source;
  readonly path: string;
  readonly state: "found" | "read" | "failed";
  readonly characters: number;
  readonly contentHash: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export const EMPTY_VIEW: RunView = {
  seq: 0,
  status: "queued",
  attempt: 0,
  startedAt: null,
  lastAt: null,
  ranMs: 0,
  runningSince: null,
  endedAt: null,
  termination: null,
  pending: [],
  steps: noRows(),
  droppedSteps: 0,
  sources: noRows(),
  sourceIndex: noEntries(),
  droppedSources: 0,
  todos: null,
  children: null,
  spent: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  downloads: 0,
  graph: { nodes: noEntries(), edges: noEntries(), front: { step: 0, nodes: [GRAPH_START], before: [] } },
  open: noEntries(),
  openSteps: noEntries(),
  segmentStart: null,
};
