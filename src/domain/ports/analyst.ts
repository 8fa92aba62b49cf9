import type { SpentBudget } from "../budget.ts";
import type { StoredDocument } from "../document.ts";
import type { RankedHit } from "../hit.ts";
import type { Citation, DraftClaim, LedgerEntry, Passage } from "../report.ts";
import type { Limits, Models, Turn } from "../request.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../tool.ts";
import type { Effects } from "./effects.ts";

export interface ModelView {
  /** Null if rules decide and write. */
  readonly models: Models | null;
  readonly limits: Limits;
  /** Time left for it; without it only the model's own limits apply. */
  readonly timeoutMs?: number;
}

/** Equal views give equal decisions. */
export interface DecisionView extends ModelView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
  readonly round: number;
  readonly tools: readonly ToolDescription[];
  readonly outcomes: readonly ToolOutcome[];
  readonly resultsBySource: Readonly<Record<string, number>>;
  /** Results of earlier runs of the thread, as text for the model. */
  readonly earlier?: string;
  readonly best: readonly { readonly title: string; readonly publishedAt: string | null; readonly firstLine: string }[];
}

/** No calls if there is enough, or no tool is needed. */
export interface Decision {
  readonly calls: readonly ToolCall[];
  readonly reason: string;
  readonly ledger?: readonly LedgerEntry[];
}

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
  /** The model was unreachable before; writing tries it only once. */
  readonly modelUnreachable?: boolean;
  readonly showsUnsupported?: boolean;
}

/** Without claims, `reason` says why; otherwise which words of the question no reading has. */
export interface Draft {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
  readonly closest?: readonly Passage[];
  /** The model's text was cut off; claims are its complete part. */
  readonly cutOff?: boolean;
  readonly ledger?: readonly LedgerEntry[];
  readonly spent?: SpentBudget | null;
}

export interface Analyst {
  readonly name: string;
  /** @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`, `model_refused` */
  decide(view: DecisionView, effects: Effects): Promise<Decision>;
  /** @throws DossierError `model_refused` */
  write(view: WritingView, effects: Effects): Promise<Draft>;
}

/** A bounded cache by view; a lost entry costs one more decision. */
export interface DecisionMemo {
  get(key: string): Decision | undefined;
  set(key: string, decision: Decision): void;
}
