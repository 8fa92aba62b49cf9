import type { AnalyzedDocument } from "../analysis.ts";
import type { SpentBudget } from "../budget.ts";
import type { RankedHit } from "../hit.ts";
import type { NextAction, PlannedTodo, Todo } from "../plan.ts";
import type { Citation, DraftClaim, LedgerEntry, Passage } from "../report.ts";
import type { Limits, Models, Turn } from "../request.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../tool.ts";
import type { Effects } from "./effects.ts";

export interface ModelView {
  readonly models: Models | null;
  readonly limits: Limits;
  /** The time left for the call. If absent, only the limits of the model settings apply. */
  readonly timeoutMs?: number;
}

export interface QuestionView extends ModelView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
}

/** Everything a decision depends on, so that the decision for an equal view can be reused. */
export interface DecisionView extends QuestionView {
  readonly round: number;
  readonly tools: readonly ToolDescription[];
  readonly outcomes: readonly ToolOutcome[];
  readonly resultsBySource: Readonly<Record<string, number>>;
  readonly earlier?: string;
  readonly best: readonly { readonly title: string; readonly publishedAt: string | null; readonly firstLine: string }[];
}

/** The tool calls of the next round; none if no tool is needed any more. */
export interface Decision {
  readonly calls: readonly ToolCall[];
  readonly reason: string;
  readonly ledger?: readonly LedgerEntry[];
}

export interface Reading {
  readonly hit: RankedHit;
  readonly document: AnalyzedDocument;
}

export interface WritingView extends QuestionView {
  readonly readings: readonly Reading[];
  /** Set if an earlier call found the model unreachable. The writer then calls it only once. */
  readonly modelUnreachable?: boolean;
  readonly showsUnsupported?: boolean;
}

/** The fields of a result that are set only if rules did the model's work. */
export interface RulesFallback {
  readonly ledger?: readonly LedgerEntry[];
  /** The limit that forbade the model call. */
  readonly spent?: SpentBudget | null;
}

/** Claims with their citations; citation ids are unique within the findings. `reason` says why there are no claims, or what is missing. */
export interface Findings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
  /** The passages closest to the question, best first. Set only if there are no claims. */
  readonly closest?: readonly Passage[];
}

export interface Draft extends Findings, RulesFallback {
  /** Set if the model's text was cut off. The claims come from its complete sentences. */
  readonly cutOff?: boolean;
}

export interface Analyst {
  readonly name: string;
  /** @throws DossierError `model_call_cap`, `token_budget`, `cost_budget`, `model_refused` */
  decide(view: DecisionView, effects: Effects): Promise<Decision>;
  /** @throws DossierError `model_refused` */
  write(view: WritingView, effects: Effects): Promise<Draft>;
}

/** A bounded cache of decisions by view. It may lose entries at any time. */
export interface DecisionMemo {
  get(key: string): Decision | undefined;
  set(key: string, decision: Decision): void;
}

export interface PlanningView extends QuestionView {
  readonly round: number;
  readonly sources: readonly string[];
  readonly tools: readonly ToolDescription[];
  readonly todos: readonly Todo[];
  readonly feedback: string | null;
  /** The user's reason for rejecting the latest plan; null if the user did not reject it. */
  readonly rejection: string | null;
  readonly asked: readonly { readonly question: string; readonly answer: string }[];
}

/** A plan that its caller still has to normalize. */
export interface Planning extends RulesFallback {
  readonly todos: readonly PlannedTodo[];
  readonly needsMorePlanning: boolean;
  readonly question: string | null;
  /** Set if the plan ignores the reason why the user rejected the previous plan. */
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
  /** The query of the next round; null means the todo's description. */
  readonly nextQuery: string | null;
}

export interface Executed {
  readonly todo: Todo;
  readonly findings: Findings;
}

export interface VerificationView extends QuestionView {
  /** `verifier`, or a role that the deployment adds. */
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

export interface Summary extends Draft {
  readonly unanswered: readonly string[];
}

/** Does the work of the research graph, by a model or by rules. Emits components, also partial ones while a model streams. */
export interface ResearchAnalyst {
  /** @throws DossierError `model_refused` */
  plan(view: PlanningView, effects: Effects): Promise<Planning>;
  assess(view: AssessmentView, effects: Effects): Promise<Assessment>;
  verify(view: VerificationView, effects: Effects): Promise<Verdict>;
  summarize(view: SummaryView, effects: Effects): Promise<Summary>;
}
