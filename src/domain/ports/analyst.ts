import type { SpentBudget } from "../budget.ts";
import type { StoredDocument } from "../document.ts";
import type { RankedHit } from "../hit.ts";
import type { Citation, DraftClaim, LedgerEntry, Passage } from "../report.ts";
import type { Limits, Models, Turn } from "../request.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../tool.ts";
import type { Effects } from "./effects.ts";

/** What deciding and writing with a model depend on besides the question. */
export interface ModelView {
  /** Null where rules decide and write. */
  readonly models: Models | null;
  readonly limits: Limits;
  /** What is left of the run's time for it, in milliseconds; only the model's own limits hold where it is not said. */
  readonly timeoutMs?: number;
}

/** Everything a decision may depend on; equal views give equal decisions. */
export interface DecisionView extends ModelView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
  readonly round: number;
  readonly tools: readonly ToolDescription[];
  readonly outcomes: readonly ToolOutcome[];
  readonly resultsBySource: Readonly<Record<string, number>>;
  /** What tools brought in earlier runs of the thread, as a model is told it; absent where there is nothing. */
  readonly earlier?: string;
  readonly best: readonly { readonly title: string; readonly publishedAt: string | null; readonly firstLine: string }[];
}

/** No calls means that it has enough, or needs no tool. */
export interface Decision {
  readonly calls: readonly ToolCall[];
  readonly reason: string;
  /** What kept a model from deciding, where rules decided in its place. */
  readonly ledger?: readonly LedgerEntry[];
}

/** A document that was read (or a snippet that stands for one), best first. */
export interface Reading {
  readonly hit: RankedHit;
  readonly document: StoredDocument;
}

export interface WritingView extends ModelView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
  readonly readings: readonly Reading[];
  /** Whether the model could not be reached when it was to decide; then it is tried but once. */
  readonly modelUnreachable?: boolean;
  /** Whether sentences that are not supported are shown rather than struck. */
  readonly showsUnsupported?: boolean;
}

/** `claims` is empty where the readings do not answer the question; `reason` says why, or which words of the question nothing holds. */
export interface Draft {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
  /** Where there are no claims: passages that may not answer the question, best first. */
  readonly closest?: readonly Passage[];
  /** Whether the text was cut off before its end, and the claims are what was complete of it. */
  readonly cutOff?: boolean;
  /** What kept a model from writing, where rules wrote in its place. */
  readonly ledger?: readonly LedgerEntry[];
  /** The budget that did not allow a model to write. */
  readonly spent?: SpentBudget | null;
}

/** Who decides and writes: a model, or the extractive rules. Whatever reaches outside goes through `effects`. */
export interface Analyst {
  readonly name: string;
  /** @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`, `model_refused` */
  decide(view: DecisionView, effects: Effects): Promise<Decision>;
  /** @throws DossierError `model_refused` */
  write(view: WritingView, effects: Effects): Promise<Draft>;
}

/** Decisions of equal views, bounded; forgetting one costs only another decision. */
export interface DecisionMemo {
  get(key: string): Decision | undefined;
  set(key: string, decision: Decision): void;
}
