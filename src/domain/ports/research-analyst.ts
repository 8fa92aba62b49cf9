import type { SpentBudget } from "../budget.ts";
import type { NextAction, PlannedTodo, Todo } from "../plan.ts";
import type { Citation, DraftClaim, LedgerEntry, Passage } from "../report.ts";
import type { Turn } from "../request.ts";
import type { ToolDescription } from "../tool.ts";
import type { Draft, ModelView, WritingView } from "./analyst.ts";
import type { Effects } from "./effects.ts";

export interface ResearchView extends ModelView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
}

export interface PlanningView extends ResearchView {
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

export interface RulesFallback {
  readonly ledger?: readonly LedgerEntry[];
  readonly spent?: SpentBudget | null;
}

/** The caller checks ids, references and bounds. */
export interface Planning extends RulesFallback {
  readonly todos: readonly PlannedTodo[];
  readonly needsMorePlanning: boolean;
  readonly question: string | null;
  /** The plan replaces a rejected one without using the reason. */
  readonly reasonUnused?: true;
}

/** Citation ids count within the todo. */
export interface Findings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
  readonly closest?: readonly Passage[];
}

export interface AssessmentView extends ResearchView {
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

export interface VerificationView extends ResearchView {
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
