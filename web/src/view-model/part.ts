import type { ModelToolCall } from "../../../src/domain/chat.ts";
import type { ContentItem } from "../../../src/domain/content.ts";
import type { LoopEnding } from "../../../src/domain/events.ts";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { PlannedQuery } from "../../../src/domain/queries.ts";
import type { ToolCall } from "../../../src/domain/tool.ts";

/** One entry below a step of a run: a decision, a call, what was found and read, what failed. */
export type Part =
  | DecisionPart
  | ToolPart
  | FoundPart
  | DocumentPart
  | CallPart
  | ComponentPart
  | FailurePart
  | RoundPart
  | NotesPart
  | RewrittenPart
  | LoopEndPart;

export interface PartBase {
  readonly id: number;
  readonly at: string;
}

export interface DecisionPart extends PartBase {
  readonly kind: "decision";
  readonly round: number;
  readonly reason: string;
  readonly queries: readonly PlannedQuery[];
  readonly toolCalls: readonly ToolCall[];
  readonly toolsOffered: readonly string[];
}

export interface ToolPart extends PartBase {
  readonly kind: "tool";
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonValue;
  /** Null while it runs. */
  readonly ok: boolean | null;
  readonly results: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly durationMs: number | null;
  readonly reused: boolean;
  readonly content: readonly ContentItem[];
}

/** Sources that were found one after another. */
export interface FoundPart extends PartBase {
  readonly kind: "found";
  readonly sourceIds: readonly string[];
  readonly count: number;
}

export interface DocumentPart extends PartBase {
  readonly kind: "document";
  readonly sourceId: string;
  readonly title: string;
  readonly url: string;
  readonly contentHash: string | null;
  readonly characters: number;
  readonly incomplete: string | null;
  readonly failure: { readonly code: string; readonly message: string; readonly fallback: string } | null;
}

/** A call of a model, or a text of the report while it is written. */
export interface CallPart extends PartBase {
  readonly kind: "call";
  readonly callId: string;
  readonly try: number;
  readonly node: string;
  readonly model: string | null;
  readonly state: "waiting" | "streaming" | "ended";
  /** The calls that wait before it. */
  readonly ahead: number;
  readonly text: string;
  /** The text of the try before, as long as this one has none. */
  readonly before: string;
  /** Whether the citations of `text` are checked. */
  readonly isChecked: boolean;
  /** Of a report with an outline: 0 for its lead, then the sections in order; null for every other text. */
  readonly part: number | null;
  readonly reasoning: string;
  /** Whether the beginning of `text` or `reasoning` is not kept. */
  readonly cut: boolean;
  readonly toolCalls: readonly ModelToolCall[];
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly finishReason: string | null;
  /** The finished text of a report, with checked citations. */
  readonly isReport: boolean;
}

export interface ComponentPart extends PartBase {
  readonly kind: "component";
  readonly component: string;
  readonly props: JsonValue;
  readonly partial: boolean;
}

export interface FailurePart extends PartBase {
  readonly kind: "failure";
  readonly what: "search" | "rerank" | "model";
  readonly name: string;
  readonly query: string | null;
  readonly code: string;
  readonly message: string;
  readonly fallback: string | null;
}

export interface RoundPart extends PartBase {
  readonly kind: "round";
  readonly round: number;
  readonly results: number;
  readonly totalResults: number;
}

/** What a model took from a document, as sentences with checked quotes. */
export interface NotesPart extends PartBase {
  readonly kind: "notes";
  readonly sourceId: string;
  readonly notes: number;
}

/** The queries that are asked in place of those that found nothing relevant. */
export interface RewrittenPart extends PartBase {
  readonly kind: "rewritten";
  readonly queries: readonly PlannedQuery[];
  readonly from: readonly string[];
}

export interface LoopEndPart extends PartBase {
  readonly kind: "loop-end";
  readonly reason: LoopEnding;
  readonly rounds: number;
}
