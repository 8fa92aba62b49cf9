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
  /** 1 for the first plan. */
  readonly round: number;
  /** Names of the sources in scope. */
  readonly sources: readonly string[];
  /** The tools that a todo may use. */
  readonly tools: readonly ToolDescription[];
  /** Todos of earlier plans. */
  readonly todos: readonly Todo[];
  /** The verifier's overall feedback; null before the first verification. */
  readonly feedback: string | null;
  /** Why the user rejected the latest plan; null if they did not. */
  readonly rejection: string | null;
  /** Earlier questions of the planner to the user. */
  readonly asked: readonly { readonly question: string; readonly answer: string }[];
}

/** Set if rules did the work of a model. */
export interface RulesFallback {
  readonly ledger?: readonly LedgerEntry[];
  /** The budget that was too small for the model. */
  readonly spent?: SpentBudget | null;
}

/** A planner's proposal; the caller checks ids, references and bounds. */
export interface Planning extends RulesFallback {
  readonly todos: readonly PlannedTodo[];
  /** The planner wants another call before anything is executed. */
  readonly needsMorePlanning: boolean;
  /** A question that only the user can answer. */
  readonly question: string | null;
  /** The plan replaces a rejected one, without using the reason of the rejection. */
  readonly reasonUnused?: true;
}

/** What a todo has found so far. Citation ids count within the todo. */
export interface Findings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  /** Why nothing was found. */
  readonly reason: string | null;
  /** Without claims: the closest passages. */
  readonly closest?: readonly Passage[];
}

export interface AssessmentView extends ResearchView {
  readonly todo: PlannedTodo;
  /** Executions so far, including this one. */
  readonly round: number;
  readonly roundsLeft: number;
  readonly findings: Findings;
}

/** An executor's judgement of a todo after a round. */
export interface Assessment extends RulesFallback {
  readonly taskCompleted: boolean;
  readonly shouldContinue: boolean;
  readonly nextAction: NextAction;
  /** What was found or is missing, in a few words. */
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
  /** The todos of the latest plan. */
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

/** A draft over all todos; `unanswered` has a sentence for each open point. */
export interface Summary extends Draft {
  readonly unanswered: readonly string[];
}

/** Plans, assesses, verifies and summarizes, by a model or by rules. Emits its typed components itself, also partial ones while a model streams. */
export interface ResearchAnalyst {
  /** @throws DossierError `model_refused` */
  plan(view: PlanningView, effects: Effects): Promise<Planning>;
  assess(view: AssessmentView, effects: Effects): Promise<Assessment>;
  verify(view: VerificationView, effects: Effects): Promise<Verdict>;
  summarize(view: SummaryView, effects: Effects): Promise<Summary>;
}
