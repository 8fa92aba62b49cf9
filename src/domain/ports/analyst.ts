import type { SpentBudget } from "../budget.ts";
import type { StoredDocument } from "../document.ts";
import type { RankedHit } from "../hit.ts";
import type { NextAction, PlannedTodo, Todo } from "../plan.ts";
import type { Citation, DraftClaim, LedgerEntry, Passage } from "../report.ts";
import type { Limits, Models, Turn } from "../request.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../tool.ts";
import type { Effects } from "./effects.ts";

export interface ModelView {
  readonly models: Models | null;
  readonly limits: Limits;
  /** Time left for it; without it only the model's own limits apply. */
  readonly timeoutMs?: number;
}

export interface QuestionView extends ModelView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
}

/** Equal views give equal decisions. */
export interface DecisionView extends QuestionView {
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

export interface WritingView extends QuestionView {
  readonly readings: readonly Reading[];
  /** The model was unreachable before; writing tries it only once. */
  readonly modelUnreachable?: boolean;
  readonly showsUnsupported?: boolean;
}

/** Set if rules replaced a model. */
export interface RulesFallback {
  readonly ledger?: readonly LedgerEntry[];
  /** The budget that was too small for the model. */
  readonly spent?: SpentBudget | null;
}

/** `reason` says why there are no claims, or which words of the question no reading has. Citation ids count within the findings. */
export interface Findings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
  /** Without claims: the closest passages, best first. */
  readonly closest?: readonly Passage[];
}

export interface Draft extends Findings, RulesFallback {
  /** The model's text was cut off; claims are its complete part. */
  readonly cutOff?: boolean;
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

export interface PlanningView extends QuestionView {
  readonly round: number;
  readonly sources: readonly string[];
  readonly tools: readonly ToolDescription[];
  readonly todos: readonly Todo[];
  /** The verifier's; null before the first verification. */
  readonly feedback: string | null;
  /** Why the user rejected the latest plan, or null. */
  readonly rejection: string | null;
  readonly asked: readonly { readonly question: string; readonly answer: string }[];
}

/** The caller checks ids, references and bounds. */
export interface Planning extends RulesFallback {
  readonly todos: readonly PlannedTodo[];
  readonly needsMorePlanning: boolean;
  readonly question: string | null;
  /** The plan replaces a rejected one without using the reason. */
  readonly reasonUnused?: true;
}

export interface AssessmentView extends QuestionView {
  readonly todo: PlannedTodo;
  readonly round: number;
  readonly roundsLeft: number;
  readonly findings: Findings;
}

export interface Assessment extends RulesFallback {
  readonly taskCompleted: boolean;
  readonly shouldContinue: boolean;
  readonly nextAction: NextAction;
  readonly summary: string;
  /** The next round's query; null for the todo's description. */
  readonly nextQuery: string | null;
}

export interface Executed {
  readonly todo: Todo;
  readonly findings: Findings;
}

export interface VerificationView extends QuestionView {
  /** `verifier`, or a role that the deployment has added. */
  readonly role: string;
  readonly executed: readonly Executed[];
}

export interface Verdict extends RulesFallback {
  readonly allCompleted: boolean;
  readonly overallFeedback: string;
  readonly tasks: readonly { readonly id: string; readonly completed: boolean; readonly feedback: string }[];
}

export interface SummaryView extends WritingView {
  readonly executed: readonly Executed[];
}

/** `unanswered` has a sentence for each open point. */
export interface Summary extends Draft {
  readonly unanswered: readonly string[];
}

/** By a model or by rules. Emits its components itself, also partial ones while a model streams. */
export interface ResearchAnalyst {
  /** @throws DossierError `model_refused` */
  plan(view: PlanningView, effects: Effects): Promise<Planning>;
  assess(view: AssessmentView, effects: Effects): Promise<Assessment>;
  verify(view: VerificationView, effects: Effects): Promise<Verdict>;
  summarize(view: SummaryView, effects: Effects): Promise<Summary>;
}
