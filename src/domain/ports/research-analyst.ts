import type { SpentBudget } from "../budget.ts";
import type { NextAction, PlannedTodo, Todo } from "../plan.ts";
import type { Citation, DraftClaim, LedgerEntry, Passage } from "../report.ts";
import type { Turn } from "../request.ts";
import type { ToolDescription } from "../tool.ts";
import type { Draft, ModelView, WritingView } from "./analyst.ts";
import type { Effects } from "./effects.ts";

/** What everybody who works on a research question is told. */
export interface ResearchView extends ModelView {
  /** The user's words. */
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
}

export interface PlanningView extends ResearchView {
  /** 1 for the first plan. */
  readonly round: number;
  /** Names of the sources in scope, and the tools that a todo may use. */
  readonly sources: readonly string[];
  readonly tools: readonly ToolDescription[];
  /** What earlier plans have come to. */
  readonly todos: readonly Todo[];
  /** What the verifier says of the whole; null before anything was verified. */
  readonly feedback: string | null;
  /** Why the user did not accept the latest plan; null where they were not asked or did. */
  readonly rejection: string | null;
  /** What the planner has asked the user before. */
  readonly asked: readonly { readonly question: string; readonly answer: string }[];
}

/** What tells that rules did it in a model's place. */
export interface RulesFallback {
  readonly ledger?: readonly LedgerEntry[];
  /** The budget that did not allow a model to do it. */
  readonly spent?: SpentBudget | null;
}

/** What a planner brings forth; ids, references and bounds are checked by whoever takes it. */
export interface Planning extends RulesFallback {
  readonly todos: readonly PlannedTodo[];
  /** It wants to be asked once more before anything is executed. */
  readonly needsMorePlanning: boolean;
  /** What only the user can tell; null where nothing is asked. */
  readonly question: string | null;
  /** Set where the plan takes the place of a rejected one, and nobody could make use of the reason. */
  readonly reasonUnused?: true;
}

/** What a todo has found so far. The citations' ids are its own. */
export interface Findings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  /** Why there is nothing, where there is nothing. */
  readonly reason: string | null;
  /** Passages that may not answer, where there are no claims. */
  readonly closest?: readonly Passage[];
}

export interface AssessmentView extends ResearchView {
  readonly todo: PlannedTodo;
  /** How often it has been executed, this time included, and how often it still may be. */
  readonly round: number;
  readonly roundsLeft: number;
  readonly findings: Findings;
}

/** What an executor says of a todo after a round. */
export interface Assessment extends RulesFallback {
  readonly taskCompleted: boolean;
  readonly shouldContinue: boolean;
  readonly nextAction: NextAction;
  /** What was found, or what is missing, in a few words. */
  readonly summary: string;
  /** What the next round looks for instead of the todo's description; null for the description. */
  readonly nextQuery: string | null;
}

/** A todo with what it has found. */
export interface Executed {
  readonly todo: Todo;
  readonly findings: Findings;
}

export interface VerificationView extends ResearchView {
  /** The role that judges: `verifier`, or one that a deployment has added. */
  readonly role: string;
  /** Those of the latest plan. */
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

/** A draft over all todos; `unanswered` names in a sentence each what could not be found out. */
export interface Summary extends Draft {
  readonly unanswered: readonly string[];
}

/**
 * Who plans, judges and sums up: a model, or the quoting search in its place. Emits its typed components itself, while they are still incomplete where a model
 * streams them, so that readers see them grow.
 */
export interface ResearchAnalyst {
  /** @throws DossierError `model_refused` */
  plan(view: PlanningView, effects: Effects): Promise<Planning>;
  assess(view: AssessmentView, effects: Effects): Promise<Assessment>;
  verify(view: VerificationView, effects: Effects): Promise<Verdict>;
  summarize(view: SummaryView, effects: Effects): Promise<Summary>;
}
